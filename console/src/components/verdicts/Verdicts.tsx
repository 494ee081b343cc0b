import { type ReactNode, useState } from 'react';
import { counted } from '../../format/number.ts';
import { Icon } from '../icon/Icon.tsx';
import styles from './verdicts.module.css';
import { summaryOf, type Verdict } from './verdicts.ts';

/** Passed checks that are shown at once: those after them are asked for. */
const FEW = 3;

/** What is asked on one side, what came of it on the other. */
export function Sides({ asked, about, answer }: { asked: ReactNode; about: string; answer: ReactNode }) {
  return (
    <div className={styles.sides}>
      <section aria-label={about}>{asked}</section>
      <section aria-label="Verdicts" aria-live="polite">
        {answer}
      </section>
    </div>
  );
}

interface AnswerProps {
  /** First of all: would it be let in. */
  readonly says: string;
  /** As whom, and where. */
  readonly children: ReactNode;
  /** What can be done about it. */
  readonly ways?: ReactNode;
}

export function Answer({ says, children, ways }: AnswerProps) {
  return (
    <div className={styles.answer}>
      <div>
        <p className={styles.says}>{says}</p>
        <p className="soft">{children}</p>
      </div>
      {ways && <div className={styles.ways}>{ways}</div>}
    </div>
  );
}

interface VerdictsProps {
  /** A role, an identity. */
  readonly name: string;
  readonly isAdmitted: boolean;
  /** In place of `admits it`, `refuses it`. */
  readonly says?: string;
  /** In a few words, beside the name. */
  readonly summary?: string;
  readonly warnings?: readonly string[];
  readonly refused: readonly Verdict[];
  readonly passed: readonly Verdict[];
  readonly isOpen: boolean;
}

/** What one of them makes of it, check by check. */
export function Verdicts({ name, isAdmitted, says, summary, warnings = [], refused, passed, isOpen }: VerdictsProps) {
  const [all, setAll] = useState(false);
  const shown = all ? passed : passed.slice(0, FEW);
  const left = passed.length - shown.length;
  return (
    <details className={styles.role} open={isOpen}>
      <summary>
        <Icon name={isAdmitted ? 'gate-open' : 'gate-shut'} is={isAdmitted ? 'good' : 'bad'} />
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className={isAdmitted ? styles.good : styles.bad}>
          {says ?? (isAdmitted ? 'admits it' : 'refuses it')}
        </span>
        <span className={`${styles.summary} soft`}>{summary ?? summaryOf(refused, passed)}</span>
        <Icon name="down" className={styles.caret ?? ''} />
      </summary>
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
      <table className={styles.checks}>
        <caption className="sr">Checks of {name}</caption>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Expected</th>
            <th scope="col">Found</th>
          </tr>
        </thead>
        <tbody>
          {[...refused, ...shown].map((verdict, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a check may be made of several certificates
            <Check key={`${verdict.check} ${at}`} verdict={verdict} />
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          {counted(left, 'more check')} passed
        </button>
      )}
    </details>
  );
}

function Check({ verdict: { check, outcome, expected, actual, hint, certificate } }: { readonly verdict: Verdict }) {
  const isGood = outcome === 'passed';
  return (
    <>
      <tr>
        <th scope="row" className={styles.check}>
          <Icon name={isGood ? 'check' : 'x'} is={isGood ? 'good' : 'bad'} />{' '}
          <span className="sr">{isGood ? 'passed: ' : 'refused: '}</span>
          <code>{check}</code>
        </th>
        <td className="mono" dir="auto">
          {expected}
        </td>
        <td className="mono" dir="auto">
          {actual}
        </td>
      </tr>
      {!isGood && (hint || certificate) && (
        <tr className={styles.hint}>
          <td colSpan={3}>
            {certificate && (
              <>
                Of <bdi>{certificate.subject}</bdi>.{' '}
              </>
            )}
            {hint}
          </td>
        </tr>
      )}
    </>
  );
}
