import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { Verdict } from '../verdict/decide.ts';
import { checkText, QUESTIONS } from '../verdict/words.ts';
import type { CommitExplanation } from './explanations.ts';
import type { PreviewedCommit } from './previews.ts';

/** Returns a verdict with its words. */
export function verdictAttributes({ outcome, code, checks, untrusted }: Verdict) {
  const decisive = checks.find((check) => check.code === code);
  return {
    outcome,
    code,
    text: decisive ? checkText(decisive) : '',
    'without-secrets': untrusted,
    checks: checks.map((check) => ({
      question: check.question,
      'question-text': QUESTIONS[check.question],
      passes: check.passes,
      code: check.code,
      text: checkText(check),
    })),
  };
}

export function explanationResource({ workspaceId, asked, verdict, event }: CommitExplanation): Resource {
  const { kind, ref, commitId, pullNumber } = asked;
  return {
    id: `${workspaceId}-${kind}-${commitId ?? pullNumber}`,
    type: 'vcs-explanations',
    attributes: {
      ...{ kind, ref, 'commit-sha': commitId, 'pull-request-number': pullNumber },
      ...verdictAttributes(verdict),
      // decided: the stored verdict. waiting: the server has seen the commit. computed: it has not.
      source: event === undefined ? 'computed' : event.detail === null ? 'waiting' : 'decided',
      problem: event?.problem ?? null,
      'decided-at': event?.decidedAt ? isoTime(event.decidedAt) : null,
    },
    relationships: {
      workspace: toOne('workspaces', workspaceId),
      event: toOne('vcs-events', event?.id ?? null),
      run: toOne('runs', event?.runId ?? null),
    },
  };
}

/** Maximum length of the first line of a commit message, characters. */
const MAX_LINE = 200;

export function previewResource({ commitId, ref, commit, verdict }: PreviewedCommit): Resource {
  return {
    id: commit === null ? `tag-${ref}` : commitId,
    type: 'vcs-previews',
    attributes: {
      ...{ ref, 'commit-sha': commitId },
      message: commit === null ? null : (commit.message.split('\n', 1)[0] ?? '').slice(0, MAX_LINE),
      author: commit?.author ?? null,
      'committed-at': commit === null ? null : isoTime(commit.committedAt),
      ...verdictAttributes(verdict),
    },
  };
}
