// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/catalogue"
	"github.com/toolcontract/operator/internal/finding"
)

const catalogueUsage = `Write what the engine says of contracts and sets as static pages: a matrix of contracts
and provider profiles, and one page each per contract, set, profile and rule.

Usage:
  {command} catalogue FILE|DIR|-... --out DIR [--title TEXT] [-n NAMESPACE]
      [--profile-dir DIR]
  {command} catalogue --cluster --out DIR [--title TEXT] [-n NAMESPACE | -A]
      [--kubeconfig FILE] [--context NAME]

The page of a contract has what a model sees, what only the host knows, the bytes that
each provider gets and what was changed for it, the findings, and the revisions with
their differences and counter-examples. No page runs a script or loads anything from
elsewhere; every host of static files can serve them, and a browser can open them from
a disk.

Several manifests of one name are its versions: each is compared with the highest
before it, and the highest that is not refused is the one that is shown. From a cluster
the revisions are those that it keeps, and the page also has conditions and channels.

The pages are written beside DIR and moved there when they are complete. A folder that
holds anything else than an earlier catalogue is refused.

Flags:
      --out DIR     the folder to write
      --title TEXT  the heading of every page (default: Tool contracts)
      --cluster     read a cluster in place of manifests
  -n, --namespace NAMESPACE
                    the namespace of manifests that name none (default: default); of
                    a cluster the one that is read, without it that of the context
  -A, --all-namespaces
                    read the whole cluster
      --kubeconfig FILE
                    as of kubectl
      --context NAME
                    as of kubectl
      --profile-dir DIR
                    also know the profiles in DIR, as for the command profiles
  -h, --help        print this text

Contracts that are not valid have a page as well. Whether anything is wrong is for
{command} check to say.

Exit code: 0 the pages were written; 2 bad usage, or input or output that cannot be
read or written.

Examples:
  {command} catalogue config/samples --out site
  {command} catalogue contracts --out public --title "Tools of the shop"
  {command} catalogue --cluster -A --out site
`

// catalogueFlags are the flags of catalogue.
type catalogueFlags struct {
	out, title string
	cluster    bool
	all        bool
	from       Cluster
}

func (p *Program) catalogue(arguments []string) int {
	f := p.flags("catalogue")
	var flags catalogueFlags
	f.StringVar(&flags.out, "out", "", "")
	f.StringVar(&flags.title, "title", "Tool contracts", "")
	f.BoolVar(&flags.cluster, "cluster", false, "")
	f.StringVarP(&flags.from.Namespace, "namespace", "n", "", "")
	f.BoolVarP(&flags.all, "all-namespaces", "A", false, "")
	clusterFlags(f, &flags.from)
	dir := profileDirFlag(f)
	if code, done := p.parse(f, catalogueUsage, arguments); done {
		return code
	}
	switch {
	case flags.out == "":
		return p.badUsage(f, "say where to write: --out DIR")
	case strings.TrimSpace(flags.title) == "":
		return p.badUsage(f, "--title is blank")
	case flags.cluster && f.NArg() > 0:
		return p.badUsage(f, "name manifests or --cluster, not both")
	case flags.cluster && flags.all && flags.from.Namespace != "":
		return p.badUsage(f, "name one namespace (-n) or all (-A)")
	case !flags.cluster && (flags.all || flags.from.Kubeconfig != "" || flags.from.Context != ""):
		return p.badUsage(f, "-A, --kubeconfig and --context go with --cluster")
	}
	if !flags.cluster {
		if wrong := checkInputs(f.Args()); wrong != "" {
			return p.badUsage(f, "%s", wrong)
		}
		if code, done := p.setNamespace(f, cmp.Or(flags.from.Namespace, "default")); done {
			return code
		}
	} else if code, done := p.checkNamespace(f, flags.from.Namespace); done {
		return code
	}
	if code, done := p.loadProfiles(f, *dir); done {
		return code
	}
	folder, err := openCatalogueFolder(flags.out)
	if err != nil {
		p.complain("%v", err)
		return exitUsage
	}
	var b *catalogueBuilder
	var code int
	if flags.cluster {
		b, code = p.catalogueOfCluster(flags)
	} else {
		b, code = p.catalogueOfFiles(f.Args())
	}
	if b == nil {
		return code
	}
	b.model.Title = flags.title
	return max(code, p.writeCatalogue(b, folder))
}

// writeCatalogue writes the pages, and says in a line what they are about.
func (p *Program) writeCatalogue(b *catalogueBuilder, folder *catalogueFolder) int {
	done, err := catalogue.Build(b.finish(), folder.write)
	if err = errors.Join(err, folder.close(err == nil)); err != nil {
		p.complain("writing the catalogue: %v", err)
		return exitUsage
	}
	out := fmt.Sprintf("%s: %s, %s, %s", folder.path, plural(done.Contracts, "contract"), plural(done.Sets, "set"), plural(done.Results, "result"))
	out += fmt.Sprintf(" (%d strict, %d ok, %d excluded, %d refused or invalid)", done.Strict, done.OK, done.Excluded, done.Failed)
	out += fmt.Sprintf("; %s, %s; %s, %d bytes", plural(done.Errors, "error"), plural(done.Warnings, "warning"), plural(done.Files, "file"), done.Bytes)
	fmt.Fprintln(p.out, finding.Printable(out))
	return exitOK
}
