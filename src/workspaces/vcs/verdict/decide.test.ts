import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Candidate, decide, MAX_TAG_BYTES, needsFiles, type Occasion, refused } from './decide.ts';
import type { TriggerSettings } from './triggers.ts';
import { check, checkText } from './words.ts';

const SETTINGS: TriggerSettings = {
  'vcs-repo': { branch: null, 'tags-regex': null },
  'file-triggers-enabled': true,
  'queue-all-runs': false,
  'speculative-enabled': true,
  'trigger-patterns': [],
  'trigger-prefixes': [],
  'working-directory': null,
};
const WORKSPACE: Candidate = {
  settings: SETTINGS,
  executionMode: 'remote',
  isDeleted: false,
  isLocked: false,
  hasRun: true,
  isWithdrawn: false,
  ranCommit: false,
  isApproved: false,
};
const PUSH: Occasion = {
  kind: 'push',
  ref: 'main',
  commitId: 'c'.repeat(40),
  defaultBranch: 'main',
  pull: null,
  isOvertaken: false,
  forkPlans: 'never',
};
const TAG: Occasion = { ...PUSH, kind: 'tag', ref: 'v1.2.3' };
const PULL: Occasion = { ...PUSH, kind: 'pull', ref: 'feature', pull: { baseRef: 'main', isFork: false } };
const FORK: Occasion = { ...PULL, pull: { baseRef: 'main', isFork: true }, forkPlans: 'approved' };

const workspace = (settings: Partial<TriggerSettings>, facts: Partial<Candidate> = {}): Candidate => ({
  ...WORKSPACE,
  ...facts,
  settings: { ...SETTINGS, ...settings },
});
const follows = (branch: string | null, regex: string | null = null) =>
  workspace({ 'vcs-repo': { branch, 'tags-regex': regex } });
const FILES = check('whole-repository');
const decided = (occasion: Occasion, candidate: Candidate, files = FILES) => {
  const { outcome, code } = decide(occasion, candidate, files);
  return `${outcome} ${code}`;
};

describe('a commit in a workspace', () => {
  test.each<[string, Occasion, Candidate, string]>([
    ['push to the default branch', PUSH, WORKSPACE, 'run whole-repository'],
    [
      'push to the default branch under another name',
      { ...PUSH, ref: 'trunk', defaultBranch: 'trunk' },
      WORKSPACE,
      'run whole-repository',
    ],
    ['push to the branch', { ...PUSH, ref: 'feature/x' }, follows('feature/x'), 'run whole-repository'],
    ['push to another branch', { ...PUSH, ref: 'dev' }, WORKSPACE, 'skipped other-branch'],
    ['push to the default branch, another is set', PUSH, follows('dev'), 'skipped other-branch'],
    ['push to an empty repository', { ...PUSH, defaultBranch: null }, WORKSPACE, 'skipped no-default-branch'],
    ['deleted branch', { ...PUSH, commitId: null }, WORKSPACE, 'skipped branch-deleted'],
    ['another branch deleted', { ...PUSH, ref: 'dev', commitId: null }, WORKSPACE, 'skipped other-branch'],
    ['push, tags are set', PUSH, follows(null, 'v'), 'skipped tags-only'],
    ['tag without a regex', TAG, WORKSPACE, 'skipped no-tags-regex'],
    ['tag without a regex, with patterns', TAG, workspace({ 'trigger-patterns': ['/**/*'] }), 'skipped no-tags-regex'],
    ['tag that matches', TAG, follows(null, '^v\\d'), 'run tag'],
    ['tag that matches, on any branch', TAG, follows('dev', '^v\\d'), 'run tag'],
    ['tag that does not match', TAG, follows(null, '^\\d'), 'skipped other-tag'],
    ['deleted tag', { ...TAG, commitId: null }, follows(null, 'v'), 'skipped tag-deleted'],
    ['long tag', { ...TAG, ref: 'v'.repeat(MAX_TAG_BYTES + 1) }, follows(null, 'v'), 'skipped tag-too-long'],
    ['stored regex with look-around', TAG, follows(null, '^v(?!0)'), 'skipped regex-unusable'],
    ['stored regex that is none', TAG, follows(null, '('), 'skipped regex-unusable'],
    ['pull request', PULL, WORKSPACE, 'speculative whole-repository'],
    ['pull request to another branch', PULL, follows('dev'), 'skipped other-target'],
    ['pull request from the branch that is followed', PULL, follows('feature'), 'skipped other-target'],
    [
      'pull request, plans turned off',
      PULL,
      workspace({ 'speculative-enabled': false }),
      'skipped speculative-disabled',
    ],
    [
      'push, plans of pull requests turned off',
      PUSH,
      workspace({ 'speculative-enabled': false }),
      'run whole-repository',
    ],
    ['closed pull request', { ...PULL, commitId: null }, WORKSPACE, 'skipped pull-closed'],
    ['pull request, tags are set', PULL, follows(null, 'v'), 'speculative whole-repository'],
    ['fork, never', { ...FORK, forkPlans: 'never' }, WORKSPACE, 'skipped fork-never'],
    [
      'fork, never, approved before',
      { ...FORK, forkPlans: 'never' },
      workspace({}, { isApproved: true }),
      'skipped fork-never',
    ],
    ['fork, waits', FORK, WORKSPACE, 'skipped fork-waits'],
    ['fork, approved', FORK, workspace({}, { isApproved: true }), 'speculative whole-repository'],
    ['fork to another branch', FORK, follows('dev'), 'skipped other-target'],
    ['first run', PUSH, workspace({}, { hasRun: false }), 'skipped first-run'],
    ['first run of a pull request', PULL, workspace({}, { hasRun: false }), 'skipped first-run'],
    [
      'first run with queue-all-runs',
      PUSH,
      workspace({ 'queue-all-runs': true }, { hasRun: false }),
      'run whole-repository',
    ],
    ['commit that ran before', PUSH, workspace({}, { ranCommit: true }), 'skipped ran-before'],
    ['overtaken', { ...PUSH, isOvertaken: true }, WORKSPACE, 'skipped overtaken'],
    ['locked', PUSH, workspace({}, { isLocked: true }), 'run whole-repository'],
    ['deleted workspace', PUSH, workspace({}, { isDeleted: true }), 'skipped workspace-deleted'],
    ['local execution', PUSH, workspace({}, { executionMode: 'local' }), 'skipped local-execution'],
    ['agents', PUSH, workspace({}, { executionMode: 'agent' }), 'run whole-repository'],
    ['no repository', PUSH, workspace({ 'vcs-repo': null }), 'skipped no-repository'],
  ])('%s', (_, occasion, candidate, expected) => {
    expect(decided(occasion, candidate)).toBe(expected);
  });

  test('files decide only if nothing else does', () => {
    const others = check('other-files', { count: 1, triggers: ['a'], paths: ['b'] });
    expect(decided(PUSH, WORKSPACE, others)).toBe('skipped other-files');
    expect(decided(TAG, follows(null, 'v'), others)).toBe('run tag');
    expect(decided({ ...PUSH, ref: 'dev' }, WORKSPACE, others)).toBe('skipped other-branch');
    expect(needsFiles(PUSH, WORKSPACE)).toBe(true);
    expect(needsFiles({ ...PUSH, ref: 'dev' }, WORKSPACE)).toBe(false);
    expect(needsFiles(TAG, follows(null, 'v'))).toBe(false);
  });

  test('every question is answered, also after the one that decided', () => {
    const { checks } = decide({ ...PUSH, ref: 'dev' }, workspace({}, { hasRun: false, isLocked: true }), FILES);
    expect(checks.map(({ question, code }) => `${question} ${code}`)).toEqual([
      'ref other-branch',
      'first first-run',
      'commit new-commit',
      'files whole-repository',
      'lock locked',
    ]);
    expect(checks.map(checkText).slice(0, 1)).toEqual(['The push was to the branch dev. The workspace follows main.']);
  });

  test('only plans of forks are untrusted', () => {
    const approved = workspace({}, { isApproved: true });
    expect([decide(FORK, approved), decide(FORK, WORKSPACE), decide(PULL, approved)].map((v) => v.untrusted)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('a run that cannot be created has its reason', () => {
    const verdict = refused(decide(PUSH, WORKSPACE, FILES), 'No agent pool.');
    expect(verdict).toMatchObject({ outcome: 'skipped', code: 'refused' });
    expect(verdict.checks.map(checkText).at(-1)).toBe('The run could not be created: No agent pool.');
  });

  test('decides for every event and workspace, and a run has no answer against it', () => {
    // Text of a user with a brace looks like a placeholder without a value.
    const anything = fc.string().filter((value) => !value.includes('{'));
    const text = fc.oneof(fc.constantFrom('main', 'dev', 'v1', '', '('), anything);
    const occasion = fc.record<Occasion>({
      kind: fc.constantFrom('push', 'tag', 'pull'),
      ref: text,
      commitId: fc.option(fc.constant('c')),
      defaultBranch: fc.option(text),
      pull: fc.option(fc.record({ baseRef: text, isFork: fc.boolean() })),
      isOvertaken: fc.boolean(),
      forkPlans: fc.constantFrom('never', 'approved'),
    });
    const settings = fc.record<TriggerSettings>({
      'vcs-repo': fc.option(fc.record({ branch: fc.option(text), 'tags-regex': fc.option(text) })),
      'file-triggers-enabled': fc.boolean(),
      'queue-all-runs': fc.boolean(),
      'speculative-enabled': fc.boolean(),
      'trigger-patterns': fc.array(text),
      'trigger-prefixes': fc.array(text),
      'working-directory': fc.option(text),
    });
    const flags = fc.record({
      isDeleted: fc.boolean(),
      isLocked: fc.boolean(),
      hasRun: fc.boolean(),
      isWithdrawn: fc.boolean(),
      ranCommit: fc.boolean(),
      isApproved: fc.boolean(),
    });
    fc.assert(
      fc.property(occasion, settings, flags, fc.constantFrom(FILES, check('no-file')), (event, of, facts, files) => {
        const verdict = decide(event, { ...facts, settings: of, executionMode: 'remote' }, files);
        const failed = verdict.checks.find(({ passes }) => !passes);
        expect(verdict.outcome === 'skipped').toBe(failed !== undefined);
        if (failed !== undefined) expect(verdict.code).toBe(failed.code);
        for (const answered of verdict.checks) expect(checkText(answered)).not.toMatch(/\{\w+\}|undefined/);
        // Nothing runs the code of a stranger without an approval.
        if (event.kind === 'pull' && event.pull?.isFork && verdict.outcome !== 'skipped') {
          expect([event.forkPlans, facts.isApproved, verdict.untrusted]).toEqual(['approved', true, true]);
        }
      }),
    );
  });
});
