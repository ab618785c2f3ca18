// SPDX-License-Identifier: Apache-2.0

// Looks at the pages of toolcontract catalogue in a browser: those of all samples,
// and some of each kind of those of 1,000 contracts (contracts.mjs). Run it with
// make test-pages.
//
// A page fails for whatever the browser has to say against it, for a request to
// elsewhere, for a finding of axe, if it is too wide for 320 pixels, if Tab does not
// reach everything with a ring around it, and if it does not work without
// JavaScript. With --screenshots FOLDER it takes the pictures of the guide instead.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { contracts } from './contracts.mjs';

const { values: flags } = parseArgs({ options: { screenshots: { type: 'string' }, contracts: { type: 'string', default: '1000' } } });
const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

function stop(why) {
  console.error(why);
  process.exit(1);
}

// find returns a program: the one that a variable names, else one on PATH.
function find(variable, ...names) {
  const given = process.env[variable];
  if (given) return existsSync(given) ? given : stop(`${variable}: there is no ${given}`);
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of names) if (existsSync(path.join(folder, name))) return path.join(folder, name);
  }
  return stop(`There is no ${names.join(', ')} on PATH. Install Chromium (Debian: apt-get install chromium), or set ${variable} to a browser that is made of it.`);
}

const browserPath = find('CHROMIUM', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
const program = process.env.TOOLCONTRACT ?? path.join(project, 'bin/toolcontract');
if (!existsSync(program)) stop(`There is no ${program}: run make build, or set TOOLCONTRACT.`);

const failures = [];
let checks = 0;
function check(ok, what) {
  checks++;
  if (!ok) {
    failures.push(what);
    console.error(`FAIL ${what}`);
  }
}

const work = mkdtempSync(path.join(tmpdir(), 'pages-'));

function catalogue(name, ...inputs) {
  const out = path.join(work, name);
  const started = performance.now();
  const summary = execFileSync(program, ['catalogue', ...inputs, '--out', out, '--title', 'Tools of the shop'], { cwd: project, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' });
  console.log(`${summary.trim().replace(out, name)} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  const { files } = JSON.parse(readFileSync(path.join(out, 'catalogue.json'), 'utf8'));
  return { name, out, pages: files.filter((f) => f.endsWith('.html')) };
}

// serve answers as a plain host of static files does, without headers of its own.
function serve(folder) {
  const types = { '.html': 'text/html', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' };
  const server = createServer((request, response) => {
    const file = path.join(folder, decodeURIComponent(new URL(request.url, 'http://x').pathname));
    if (!file.startsWith(folder) || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[path.extname(file)] }).end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve({ server, origin: `http://127.0.0.1:${server.address().port}` })));
}

const browser = await chromium.launch({ executablePath: browserPath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });

// watched opens a page that reports whatever a browser has to say against it.
async function watched(origin, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const where = () => page.url().replace(origin, '');
  page.on('console', (message) => check(false, `${where()}: console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => check(false, `${where()}: ${error}`));
  // What is asked for when the next page is opened is given up.
  page.on('requestfailed', (request) => check(request.failure()?.errorText === 'net::ERR_ABORTED', `${where()}: ${request.url()} failed: ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    check(response.status() === 200, `${where()}: ${response.url()} answers ${response.status()}`);
  });
  page.on('request', (request) => {
    check(request.url().startsWith(origin), `${where()}: asks for ${request.url()}`);
    const icon = request.resourceType() === 'other' && request.url() === `${origin}/icon.svg`;
    check(icon || ['document', 'stylesheet'].includes(request.resourceType()), `${where()}: asks for ${request.url()}, a ${request.resourceType()}`);
  });
  return { context, page };
}

async function axe(page, name) {
  const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze();
  for (const v of violations) {
    check(false, `${name}: axe ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(' | ')}`);
  }
  checks++;
}

// openAll opens what is folded, so that everything is looked at.
const openAll = (page) => page.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true; });

async function look(origin, name, page) {
  await page.goto(`${origin}/${name}`);
  await openAll(page);
  await axe(page, `${name} ${JSON.stringify(page.viewportSize())}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  check(wide <= 0, `${name}: at ${page.viewportSize().width} pixels it is ${wide} pixels too wide`);
}

// keyboard goes through a page with Tab alone.
async function keyboard(origin, name, page) {
  await page.goto(`${origin}/${name}`);
  await page.keyboard.press('Tab');
  const first = await page.evaluate(() => {
    const e = document.activeElement, box = e.getBoundingClientRect();
    return { skip: e.classList.contains('skip'), seen: box.top >= 0 && box.left >= 0 && box.width > 40 };
  });
  check(first.skip && first.seen, `${name}: the first Tab does not show the skip link`);
  await page.keyboard.press('Enter');
  check(await page.evaluate(() => document.activeElement.id === 'main'), `${name}: the skip link does not lead to the content`);
  await page.goto(`${origin}/${name}`);
  const total = await page.evaluate(() => {
    const all = [...document.querySelectorAll('a[href], summary, input:checked, [role=region][tabindex="0"]')].filter((e) => e.checkVisibility({ contentVisibilityAuto: true }));
    all.forEach((e, i) => e.setAttribute('data-stop', i));
    return all.length;
  });
  const reached = new Set();
  for (let i = 0; i < total; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      const ringed = (x) => { const s = getComputedStyle(x); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2; };
      return { stop: e.dataset.stop, ring: ringed(e) || (e.matches('input') && ringed(e.parentElement)), what: e.outerHTML.slice(0, 120) };
    });
    check(at.ring, `${name}: no focus ring on ${at.what}`);
    reached.add(at.stop);
  }
  check(reached.size === total && !reached.has(undefined), `${name}: Tab reaches ${reached.size} of ${total} places`);
  const summary = page.locator('summary').first();
  if (await summary.count()) {
    await summary.focus();
    await page.keyboard.press('Enter');
    check(await summary.evaluate((e) => e.parentElement.open), `${name}: Enter does not open what is folded`);
  }
}

// filters chooses rows with the arrow keys.
async function filters(origin, name, page) {
  await page.goto(`${origin}/${name}`);
  const shown = () => page.evaluate(() => [...document.querySelectorAll('.matrix tbody tr')].filter((r) => r.checkVisibility()).length);
  const wanted = () => page.evaluate(() => Number(document.querySelector('label:has(:checked) .note').textContent));
  const count = await page.locator('.filter input').count();
  check(count > 1, `${name}: there is nothing to choose`);
  await page.locator('.filter input').first().focus();
  for (let i = 0; i < count; i++) {
    check((await shown()) === (await wanted()), `${name}: the choice ${i + 1} shows ${await shown()} rows, and says ${await wanted()}`);
    await page.keyboard.press('ArrowRight');
  }
}

async function withoutScript(origin, name) {
  const { context, page } = await watched(origin, { javaScriptEnabled: false });
  await page.goto(`${origin}/${name}`);
  check(await page.locator('h1').isVisible(), `${name}: without JavaScript there is no heading`);
  const folded = page.locator('details').first();
  if (await folded.count()) {
    await folded.locator('summary').click();
    check(await folded.locator('table, pre').first().isVisible(), `${name}: without JavaScript nothing unfolds`);
  }
  const choice = page.locator('.filter input').nth(1);
  if (await choice.count()) {
    const rows = page.locator('.matrix tbody tr');
    await choice.check();
    check((await rows.filter({ visible: true }).count()) < (await rows.count()), `${name}: without JavaScript nothing can be chosen`);
  }
  await context.close();
}

// kinds takes some pages of each kind: of each folder the first, the last and some
// between them.
function kinds(pages, each) {
  const folders = new Map();
  for (const page of pages) folders.set(path.dirname(page), [...(folders.get(path.dirname(page)) ?? []), page]);
  return [...folders.values()].flatMap((list) => (list.length <= each || path.dirname(list[0]) === '.'
    ? list : Array.from({ length: each }, (_, i) => list[Math.floor((i * (list.length - 1)) / (each - 1))])));
}

async function site(s, all) {
  const { server, origin } = await serve(s.out);
  const started = performance.now();
  const pages = all ? s.pages : kinds(s.pages, 3);
  for (const options of [{ viewport: { width: 1280, height: 900 } }, { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }, { viewport: { width: 320, height: 640 } }]) {
    const { context, page } = await watched(origin, options);
    for (const name of options.colorScheme || options.viewport.width === 320 ? kinds(pages, 2) : pages) await look(origin, name, page);
    await context.close();
  }
  const { context, page } = await watched(origin, { viewport: { width: 1280, height: 900 } });
  const namespace = s.pages.find((p) => p.startsWith('namespaces/'));
  for (const name of all ? kinds(s.pages, 2) : ['index.html', namespace]) await keyboard(origin, name, page);
  await filters(origin, all ? 'index.html' : namespace, page);
  await context.close();
  for (const name of all ? kinds(s.pages, 2) : ['index.html', namespace]) await withoutScript(origin, name);
  console.log(`${s.name}: ${pages.length} of ${s.pages.length} pages in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  server.close();
}

// disk opens the pages as files, as somebody does who has unpacked them.
async function disk(s) {
  const origin = pathToFileURL(s.out).href;
  const { context, page } = await watched(origin, {});
  page.removeAllListeners('response'); // files have no status
  await page.goto(`${origin}/index.html`);
  await page.locator('.matrix a').first().click();
  check(await page.locator('h1').isVisible(), 'from a disk the first link of the matrix leads to nothing');
  await context.close();
}

// shoot takes the pictures of the guide.
async function shoot(samples, many, folder) {
  mkdirSync(folder, { recursive: true });
  const contract = 'contracts/default_create-refund-draft-strict.html';
  for (const [file, s, name, options, place] of [
    ['catalogue-overview', samples, 'index.html', { viewport: { width: 1200, height: 860 } }],
    ['catalogue-many', many, 'index.html', { viewport: { width: 1200, height: 800 } }, '#matrix-heading'],
    ['catalogue-contract', samples, contract, { viewport: { width: 1100, height: 800 } }],
    ['catalogue-providers-dark', samples, contract, { viewport: { width: 1200, height: 760 }, colorScheme: 'dark' }, '#providers'],
    ['catalogue-revisions', samples, 'contracts/default_list-shipments.html', { viewport: { width: 1200, height: 860 } }, '#v-2'],
    ['catalogue-narrow', samples, 'contracts/default_get-inventory.html', { viewport: { width: 360, height: 720 } }],
    ['catalogue-print', samples, 'contracts/default_submit-refund.html', { viewport: { width: 800, height: 1000 } }, 'print'],
  ]) {
    const { server, origin } = await serve(s.out);
    const { context, page } = await watched(origin, options);
    if (place === 'print') await page.emulateMedia({ media: 'print' });
    await page.goto(`${origin}/${name}${place && place !== 'print' ? place : ''}`);
    const target = path.join(folder, `${file}.png`);
    const data = await page.screenshot();
    check(data.length < 150_000, `${file}.png has ${data.length} bytes`);
    writeFileSync(target, data);
    await context.close();
    server.close();
  }
  console.log(`pictures in ${folder}: ${readdirSync(folder).filter((f) => f.startsWith('catalogue-')).length}`);
}

try {
  const samples = catalogue('samples', 'config/samples', '--profile-dir', 'config/samples/profiles');
  const list = path.join(work, 'many.json');
  writeFileSync(list, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: contracts(Number(flags.contracts)) }));
  const many = catalogue('many', list);
  if (flags.screenshots) {
    await shoot(samples, many, path.resolve(flags.screenshots));
  } else {
    await site(samples, true);
    await site(many, false);
    await disk(samples);
  }
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
if (failures.length) stop(`${failures.length} of ${checks} checks failed`);
console.log(`${checks} checks passed`);
