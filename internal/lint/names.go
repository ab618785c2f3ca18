// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

var nameRules = []Rule{
	{
		ID: "name-verb-object", Family: familyNames, Severity: finding.Warning,
		Summary: "The tool name does not say what is done to what: a verb and an object.",
		Why:     "A model chooses among names before it weighs descriptions. Order or refund can be a question, a draft or a payment.",
		Fix:     "use a verb and an object, as in get_order_status; toolName is immutable, so a tool in use needs a new contract",
		check:   (*subject).nameVerbObject,
		Examples: []Example{
			{Language: English, Bad: "toolName: shipments", Good: "toolName: list_shipments"},
			{Language: Chinese, Bad: "toolName: wuliu\ntitle: 物流", Good: "toolName: chaxun_wuliu\ntitle: 查询物流"},
		},
	},
	{
		ID: "name-vague", Family: familyNames, Severity: finding.Warning,
		Summary: "The tool name, or its title, has a verb that says nothing: process, handle, manage, do, 处理, 管理.",
		Why:     "Models call tools with such names for everything that sounds alike, also where another tool is right.",
		Fix:     "name what is done: list, create, cancel, submit, 查询, 创建, 取消",
		check:   (*subject).nameVague,
		Examples: []Example{
			{Language: English, Bad: "toolName: handle_shipments", Good: "toolName: list_shipments"},
			{Language: Chinese, Bad: "title: 处理发货", Good: "title: 查询发货"},
		},
	},
	{
		ID: "name-effect", Family: familyNames, Severity: finding.Error,
		Summary: "The verb of the tool name and execution.sideEffect say different things: a read that changes something, a write that changes nothing, a submission that is a draft.",
		Why:     "Hosts and people grant permission by the name. A tool that reads by its name and writes by its effect is called without a second thought.",
		Fix:     "correct execution.sideEffect; if it is right, the tool needs a new contract with another toolName",
		check:   (*subject).nameEffect,
		Examples: []Example{
			{
				Language: English, Writes: true,
				Bad:  "toolName: get_shipment\nexecution: {sideEffect: Irreversible}",
				Good: "toolName: cancel_shipment\nexecution: {sideEffect: Irreversible}",
			},
			{
				Language: Chinese, Writes: true,
				Bad:  "toolName: chaxun_fahuo\nexecution: {sideEffect: Irreversible}",
				Good: "toolName: quxiao_fahuo\nexecution: {sideEffect: Irreversible}",
			},
		},
	},
}

// The verbs of tool names, in English and in Chinese as it is written in letters.
var (
	readVerbs = setOf(`get list search find read fetch show describe count check lookup look query view browse inspect retrieve compare
		explain summarize analyze analyse calculate compute estimate validate verify preview convert translate detect resolve scan test watch
		poll ask answer whoami diff track measure predict recommend suggest locate navigate classify extract parse render download export
		generate quote research reason map aggregate ping troubleshoot sample think calculate rank score trace visualize plot draw select filter evaluate audit discover identify examine profile monitor is has
		chaxun huoqu sousuo chakan liechu tongji jisuan daochu xiazai jiancha duqu`)
	writeVerbs = setOf(`create update delete remove add set put patch insert write edit modify change submit send post publish cancel
		approve reject refund pay charge transfer book reserve release assign move rename copy merge close open reopen archive unarchive restore
		start stop restart enable disable install uninstall deploy apply upload upsert save store register unregister subscribe unsubscribe
		invite grant revoke lock unlock reset clear purge drop append attach detach link unlink mark tag untag label comment reply upgrade
		rollback import schedule reschedule trigger notify push sync complete confirm issue order buy sell fill click type press drag
		hover fork star unstar dismiss request rerun retry finish replace configure connect disconnect trash untrash share log
		record note remember forget escalate pause resume fix lint format draft prepare propose build make scale migrate kill terminate
		block unblock promote demote toggle switch wait scroll accept decline vote follow unfollow pin unpin like react forward duplicate
		clone init launch join leave upvote withdraw deposit rotate refresh evict drain cordon uncordon abort skip submit enqueue scrape crawl take load resize emulate hide highlight annotate exec mute unmute protect unprotect play erase
		unresolve route unroute teardown reconnect rollout cleanup transition bump stash checkout
		chuangjian xinjian xinzeng tianjia shanchu xiugai gengxin tijiao fasong quxiao shenpi shangchuan fabu zhifu tuikuan yuding guanbi qiyong jinyong`)
	vagueVerbs = setOf(`process handle manage do run execute perform operate work use call invoke action util helper misc tool func
		function main stuff thing interact control dispatch chuli guanli caozuo zhixing`)
	// vagueAlone say nothing whatever stands behind them; a query that is run is
	// an object that says what.
	vagueAlone = setOf(`process handle manage do perform operate work deal chuli guanli caozuo`)
	// draftWords make of a verb something that can be thrown away.
	draftWords = setOf(`draft drafts preview prepare propose plan simulate dry dryrun stage caogao yulan`)
	// plainReads read whatever their object is. Others, as check or track, also
	// begin names of writes: check_out, track_event.
	plainReads = setOf(`get list search find fetch show describe count lookup query view browse inspect retrieve chaxun huoqu sousuo chakan liechu duqu`)
	// plainWrites change something whatever their object is.
	plainWrites = setOf(`delete remove create update send pay publish cancel approve refund purge transfer submit
		shanchu chuangjian gengxin fasong zhifu fabu quxiao tuikuan tijiao`)
	// submissions take effect: what they do is no draft.
	submissions = setOf(`submit send pay publish charge transfer refund purge tijiao fasong zhifu fabu tuikuan`)
)

var vagueTitles = parse("处理* | 管理* | 操作* | 执行*")

// verb is the first verb of the name; a name may begin with the service that it
// belongs to.
func (s *subject) verb() string {
	for _, w := range s.name {
		if readVerbs[w] || writeVerbs[w] || vagueVerbs[w] {
			return w
		}
	}
	return ""
}

func (s *subject) nameVerbObject() {
	if s.ours() && (len(s.name) < 2 || s.verb() == "") {
		s.spec("/toolName", "the name %s does not say what is done to what", finding.Quote(s.ToolName))
	}
}

func (s *subject) nameVague() {
	if !s.ours() {
		return
	}
	if verb := s.verb(); vagueAlone[verb] && !s.endsIn(verb) || vagueVerbs[verb] && s.saysNothing() {
		s.spec("/toolName", "%s in the name %s can be anything", finding.Quote(verb), finding.Quote(s.ToolName))
	}
	for _, phrase := range vagueTitles {
		if strings.HasPrefix(s.Title, strings.TrimSuffix(phrase, "*")) {
			s.spec("/title", "%s in the title %s can be anything", finding.Quote(strings.TrimSuffix(phrase, "*")), finding.Quote(s.Title))
		}
	}
}

// endsIn reports whether a verb is the last of several words: a process is a
// thing then.
func (s *subject) endsIn(verb string) bool { return len(s.name) > 1 && s.name[len(s.name)-1] == verb }

// saysNothing reports whether no word of the name says anything: run_action.
func (s *subject) saysNothing() bool {
	for _, w := range s.name {
		if !vagueVerbs[w] && !vagueObjects[w] {
			return false
		}
	}
	return true
}

var vagueObjects = setOf("task tasks request requests operation operations command data item items object objects job something anything it")

func (s *subject) nameEffect() {
	verb, effect := s.verb(), s.Execution.SideEffect
	if !s.ours() || verb == "" || verb != s.name[0] && verb != s.name[len(s.name)-1] {
		return
	}
	draft := draftWords.any(s.name) != ""
	says := func(name, does string) {
		s.spec("/execution/sideEffect", "%s %s by its name, and %s", finding.Quote(s.ToolName), name, does)
	}
	switch effect {
	case "Reversible", "Irreversible":
		if plainReads[verb] && writeVerbs.any(s.name) == "" {
			says("reads", "a call has the effect "+effect)
		}
	case "None":
		if plainWrites[verb] && readVerbs.any(s.name) == "" {
			says("changes something", "execution.sideEffect is None")
		}
	case "Draft":
		if submissions[verb] && !draft {
			says("takes effect", "a call only makes a draft")
		}
	}
}
