import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import {
  ADDRESS,
  commitId,
  deliver,
  eventsOf,
  type Followed,
  type Reporting,
  startReporting,
} from '../support/reporting.ts';

const HOSTILE = [
  'aws_instance.a["@everyone"]',
  'aws_instance.b["](https://evil.example)"]',
  'aws_instance.c["<img src=x onerror=alert(1)>"]',
  'aws_instance.d["`` ` ``"]',
  'aws_instance.e["line\nbreak\r\n# heading"]',
  'aws_instance.f["https://evil.example www.evil.example"]',
  'aws_instance.g["</details><script>"]',
  'aws_instance.h["\u202egnp.exe\u0000"]',
];
const ZERO_WIDTH = '\u200b';

describe.each(databaseKinds)('comments of pull requests on %s', { timeout: 60_000 }, (kind) => {
  let reporting: Reporting;
  let names = 0;
  beforeAll(async () => {
    reporting = await startReporting(kind);
  });
  afterAll(() => reporting.stop());

  const send = () => deliver(reporting.api.workspaces.vcs.reports);
  const later = (seconds: number) => reporting.api.advance(seconds * 1000);
  const newCommit = () => commitId(`comment-${++names}`);
  const textsOf = ({ fake: { id } }: Followed): string[] =>
    reporting.fake.comments.filter(({ repositoryId }) => repositoryId === id).map(({ body }) => body.body);
  const follow = () => reporting.follow({ 'pull-request-comments': true });

  /** Uploads the redacted plan of a run that changes these addresses. */
  async function upload({ organization: { owner }, runs }: Followed, run: string, addresses: readonly string[]) {
    const resources = addresses.map((address, index) => ({
      ...{ address, mode: 'managed', type: 'aws_instance' },
      change: {
        actions: [['create'], ['update'], ['delete', 'create'], ['delete']][index % 4],
        before: { password: 'a-value' },
        after: { password: 'a-value', address: 'not-this', actions: ['create'] },
      },
    }));
    const read = { address: 'data.aws_ami.x', mode: 'data', change: { actions: ['read'] } };
    const same = { address: 'aws_instance.same', mode: 'managed', change: { actions: ['no-op'] } };
    const plan = (await runs.show(run)).relationships.plan.data.id;
    const body = {
      prior_state: {},
      resource_changes: [read, same, ...resources],
      configuration: { secret: 'a-value' },
    };
    const answer = await owner.call('PUT', `/plans/${plan}/json-output-redacted`, body, {
      'content-type': 'application/json',
    });
    expect(answer.status, answer.text).toBe(204);
  }

  async function planned(followed: Followed, addresses: readonly string[], pull: object = {}) {
    const events = eventsOf(reporting, followed);
    const commit = newCommit();
    const event = await events.add({ kind: 'pull', afterId: commit, pull: { number: 7, ...pull } });
    const workspaces = [await events.workspace(`net-${++names}`), await events.workspace(`dns-${names}`)];
    const [run = '', other = ''] = await events.start(event, workspaces);
    await events.end(event);
    await followed.runs.report(run, 'planning');
    await upload(followed, run, addresses);
    const counts = { 'resource-additions': 2, 'resource-changes': 1, 'resource-destructions': 1 };
    await followed.runs.report(run, 'planned', { 'has-changes': true, ...counts });
    return { events, event, commit, run, other, names };
  }

  test('an organization that does not want comments gets none', async () => {
    const followed = await reporting.follow();
    const { events, other } = await planned(followed, ['aws_instance.a']);
    await events.plan(other);
    await send();
    expect(textsOf(followed)).toEqual([]);
  });

  test('the comment is created when the plans are over, updated in place, and collapsed at the end', async () => {
    const followed = await follow();
    const {
      events,
      commit,
      run,
      other,
      names: n,
    } = await planned(followed, ['aws_instance.a', 'module.x.aws_vpc.b[0]']);
    await send();
    expect(textsOf(followed), 'a plan is missing').toEqual([]);
    await events.plan(other);
    await send();
    const [text = '', ...others] = textsOf(followed);
    const { name } = followed.organization;
    expect(others).toEqual([]);
    expect(text).toMatch(/^\[lockkeeper\]: # \(vrp-[1-9A-Za-z]{16}\)\n\n/);
    expect(text).toContain(`### Lockkeeper: ${name}\n\n2 plans: 1 with changes, 1 without changes\n`);
    expect(text).toContain(
      `Commit \`${commit.slice(0, 8)}\` of \`feature\` – [all runs](${ADDRESS}/app/${name}/vcs-events/`,
    );
    expect(text).toContain(`| [net-${n}](${ADDRESS}/app/${name}/net-${n}/runs/${run}) | Planned | 2 | 1 | 1 |`);
    expect(text).toContain(`| [dns-${n}]`);
    expect(text).toContain(
      `<details><summary>net-${n} – Plan: 2 to add, 1 to change, 1 to destroy</summary>\n\n- \`+\` \`aws_instance.a\`\n- \`~\` \`module.x.aws_vpc.b[0]\`\n\n</details>`,
    );
    for (const absent of ['a-value', 'not-this', 'data.aws_ami', 'aws_instance.same'])
      expect(text).not.toContain(absent);

    const next = newCommit();
    const event = await events.add({ kind: 'pull', afterId: next, pull: { number: 7 } });
    await events.verdict(event, await events.workspace(`web-${++names}`), { code: 'other-files' });
    await events.end(event);
    later(15);
    await send();
    expect(textsOf(followed)).toHaveLength(1);
    expect(textsOf(followed)[0]).toContain('No workspace is concerned');
    expect(textsOf(followed)[0]).toContain(`Commit \`${next.slice(0, 8)}\``);

    const closing = await events.add({ kind: 'pull', afterId: null, pull: { number: 7 } });
    await events.end(closing);
    await send();
    expect(textsOf(followed)).toHaveLength(1);
    expect(textsOf(followed)[0]).toContain(`<details><summary>Lockkeeper: ${name} (closed)</summary>`);
    const reopened = await events.add({ kind: 'pull', afterId: next, pull: { number: 7 } });
    await events.end(reopened);
    await send();
    expect(textsOf(followed)[0]).toContain(`### Lockkeeper: ${name}`);
  });

  test('a pull request that concerns no workspace gets no comment', async () => {
    const followed = await follow();
    const events = eventsOf(reporting, followed);
    const event = await events.add({ kind: 'pull', afterId: newCommit(), pull: { number: 1 } });
    await events.verdict(event, await events.workspace(`w-${++names}`), { code: 'other-files' });
    await events.end(event);
    await send();
    expect(textsOf(followed)).toEqual([]);
  });

  test('an event with the same commit, such as that of a review, keeps the plans', async () => {
    const followed = await follow();
    const { events, other, commit } = await planned(followed, ['aws_instance.a']);
    await events.plan(other);
    await send();
    const again = await events.add({ kind: 'pull', afterId: commit, pull: { number: 7 } });
    await events.end(again);
    later(15);
    await send();
    expect(textsOf(followed)[0]).toContain('2 plans: 1 with changes');
  });

  test('a comment that a person deleted is created again when something changes', async () => {
    const followed = await follow();
    const { events, other } = await planned(followed, ['aws_instance.a']);
    await events.plan(other);
    await send();
    const { comments } = reporting.fake;
    comments.splice(
      comments.findIndex(({ repositoryId }) => repositoryId === followed.fake.id),
      1,
    );
    await events.end(await events.add({ kind: 'pull', afterId: null, pull: { number: 7 } }));
    await send();
    expect(textsOf(followed)).toEqual([expect.stringContaining('(closed)')]);
  });

  test('texts of strangers are shown as code: no mention, link, HTML or Markdown of theirs works', async () => {
    const followed = await follow();
    const events = eventsOf(reporting, followed);
    const commit = newCommit();
    const ref = 'x`](https://evil.example)\n<b>@acme/owners</b>';
    const event = await events.add({ kind: 'pull', ref, afterId: commit, pull: { number: 7 } });
    const [run = ''] = await events.start(event, [await events.workspace(`w-${++names}`)]);
    await events.end(event);
    await followed.runs.report(run, 'planning');
    await upload(followed, run, HOSTILE);
    await followed.runs.report(run, 'planned', { 'has-changes': true, 'resource-additions': 9 });
    await send();
    const [text = ''] = textsOf(followed);
    const lines = text.split('\n').filter((line) => line.startsWith('- '));
    expect(lines).toHaveLength(HOSTILE.length);
    const outside = outsideOfCode(text);
    for (const absent of ['evil', 'everyone', 'acme/owners', '<img', '<b>', '<script', '# heading', '\u202e', '\r']) {
      expect(outside, absent).not.toContain(absent);
    }
    expect(text).not.toMatch(/@[A-Za-z]/);
    expect(text).toContain(`@${ZERO_WIDTH}everyone`);
    expect(text.match(/<\/details>/g)?.length, 'that of an address is in code').toBe(2);
    expect(outside.match(/<\/details>/g)?.length).toBe(1);
  });

  test('a change from a fork shows counts only, because its author chose the addresses', async () => {
    const followed = await follow();
    const { events, other } = await planned(followed, ['aws_instance.from_a_fork'], { isFork: true });
    await events.plan(other);
    await send();
    expect(textsOf(followed)[0]).toContain('| Planned | 2 | 1 | 1 |');
    expect(textsOf(followed)[0]).not.toContain('from_a_fork');
  });

  test('a plan of many resources is cut', async () => {
    const followed = await follow();
    const many = Array.from({ length: 2000 }, (_, index) => `aws_instance.many["${'x'.repeat(150)}-${index}"]`);
    const { events, other } = await planned(followed, many);
    await events.plan(other);
    await send();
    const [text = ''] = textsOf(followed);
    expect(text.length).toBeLessThan(60_001);
    expect(text.match(/^- `/gm)?.length).toBe(50);
    expect(text).toContain('\n- …\n');
  });
});

/** Removes inline code, as a Markdown parser finds it. */
function outsideOfCode(text: string): string {
  return text.replace(/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g, '');
}
