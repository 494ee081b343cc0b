import { describe, expect, test } from 'vitest';
import type { RunResult } from '../hooks/run-results.ts';
import { checkSummary, commentText, markerOf } from './comment.ts';
import { type CommitFacts, type ReportedWorkspace, reportLinks } from './facts.ts';

const LINKS = reportLinks('https://keeper.example.com/', 'acme', 'https://git.example.com/acme/infra');

function run(index: number, result: Partial<RunResult> = {}): RunResult {
  return { runId: `run-${index}`, plan: 'changes', apply: 'none', add: 1, change: 0, destroy: 0, ...result };
}
function workspace(name: string, ...runs: RunResult[]): ReportedWorkspace {
  return { name, runs, code: null, isTarget: true };
}
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => workspace(`workspace-${String(index).padStart(4, '0')}`, run(index)));
const status = (workspaces: readonly ReportedWorkspace[]) => ({
  ...{ context: 'lockkeeper/acme', state: 'success' as const, description: 'The words', url: '', workspaces },
});
const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| -'));

function comment(workspaces: readonly ReportedWorkspace[], more: object = {}) {
  const pull = { number: 1, baseRef: 'main', isFork: false };
  const event = { id: 've-1', kind: 'pull', ref: 'feature', state: 'done', pull, createdAt: 0 } as const;
  const facts: CommitFacts = { organizationName: 'acme', events: [event], workspaces, isFollowed: true };
  const marker = markerOf('vrp-1');
  return commentText({
    ...{ facts, marker, commitId: 'c0ffee00', isClosed: false, links: LINKS, hasHtml: true, limit: 1_000_000 },
    ...{ resources: new Map(), ...more },
  });
}

describe('the summary of a check run', () => {
  test('has a row for each run: what needs attention first, then by name', () => {
    const text = checkSummary(
      status([
        workspace('same', run(1, { plan: 'unchanged', add: 0 })),
        workspace('running', run(2, { plan: 'running' })),
        workspace('b', run(3, { add: 2, change: 3, destroy: 4 })),
        workspace('a', run(4, { apply: 'applied' })),
        workspace('failed', run(5, { plan: 'failed' })),
        workspace('canceled', run(6, { plan: 'canceled' })),
        { ...workspace('refused'), code: 'refused' },
      ]),
      've-1',
      LINKS,
    );
    const url = 'https://keeper.example.com/app/acme';
    expect(text).toBe(`The words

| Workspace | Result | Add | Change | Destroy |
| --- | --- | ---: | ---: | ---: |
| [failed](${url}/failed/runs/run-5) | Plan failed |  |  |  |
| refused | The run could not start |  |  |  |
| [canceled](${url}/canceled/runs/run-6) | Canceled |  |  |  |
| [a](${url}/a/runs/run-4) | Applied | 1 | 0 | 0 |
| [b](${url}/b/runs/run-3) | Planned | 2 | 3 | 4 |
| [running](${url}/running/runs/run-2) | Planning |  |  |  |
| [same](${url}/same/runs/run-1) | No changes | 0 | 0 | 0 |

`);
  });

  test('leaves rows out above the limit of GitHub, and links to all of them', () => {
    const text = checkSummary(status(many(2000)), 've-1', LINKS);
    const rows = rowsOf(text).length - 1;
    expect(text.length).toBeLessThanOrEqual(65_535);
    expect(text.length).toBeGreaterThan(64_000);
    expect(text).toContain(`[${2000 - rows} more runs](https://keeper.example.com/app/acme/vcs-events/ve-1)`);
  });
});

describe('a comment', () => {
  test.each([32_768, 10_000, 3000])('is at most %i characters long, with whole rows', (limit) => {
    const workspaces = many(500);
    const resources = new Map(
      workspaces.map(({ runs: [only] }) => [
        only?.runId ?? '',
        { resources: [{ address: `a.${'x'.repeat(100)}`, action: 'add' as const }], isCut: false },
      ]),
    );
    for (const isClosed of [false, true]) {
      for (const hasHtml of [false, true]) {
        const text = comment(workspaces, { limit, resources, isClosed, hasHtml });
        expect(text.length).toBeLessThanOrEqual(limit);
        expect(text).toContain('more runs');
        for (const row of rowsOf(text)) expect(row).toMatch(/ \|$/);
        expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
      }
    }
  });

  test('has no HTML where the provider shows HTML as text', () => {
    const resources = new Map([
      ['run-1', { resources: [{ address: 'a.b', action: 'replace' as const }], isCut: true }],
    ]);
    const text = comment([workspace('net', run(1))], { hasHtml: false, resources, isClosed: true });
    expect(text).not.toMatch(/[<>]/);
    expect(text).toContain('**net – Plan: 1 to add, 0 to change, 0 to destroy**\n\n- `-/+` `a.b`\n- …');
  });
});

test('without a public URL of the server, links lead to the repository', () => {
  const links = reportLinks(undefined, 'acme', 'https://git.example.com/acme/infra');
  expect([links.run('net', 'run-1'), links.event('ve-1')]).toEqual(Array(2).fill('https://git.example.com/acme/infra'));
});
