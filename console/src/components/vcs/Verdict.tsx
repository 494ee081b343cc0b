import type { Resources } from '../../api/client.ts';
import { State } from '../state/State.tsx';
import * as texts from './texts.ts';
import styles from './vcs.module.css';

/** Decision of the server about a commit in a workspace, with its answers to all questions. */
export type VerdictOf = Pick<
  Resources['vcs-explanations']['attributes'],
  'outcome' | 'text' | 'checks' | 'without-secrets' | 'code'
>;

/** Outcome of a verdict, by shape and word. */
export function Outcome({ of }: { readonly of: Pick<VerdictOf, 'outcome'> }) {
  if (of.outcome === 'skipped') {
    return (
      <State icon="slash" is="idle">
        {texts.skipped}
      </State>
    );
  }
  return (
    <State icon="runs" is="good">
      {of.outcome === 'run' ? texts.run : texts.speculative}
    </State>
  );
}

/** Reason of a verdict: the check that decided, and all others on request. */
export function Reason({ of }: { readonly of: VerdictOf }) {
  return (
    <div className={styles.reason}>
      <bdi>{of.text}</bdi> {of['without-secrets'] && texts.withoutSecrets}
      <details>
        <summary>{texts.allQuestions}</summary>
        <ol className={styles.checks}>
          {of.checks.map((check) => (
            <li key={check.code}>
              <State icon={check.passes ? 'check' : 'x'} is={check.passes ? 'good' : 'idle'}>
                {check.passes ? texts.yes : texts.no}
              </State>
              <span>
                {check['question-text']} <bdi className="soft">{check.text}</bdi>
              </span>
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}
