import { type ReactNode, useState } from 'react';
import { Icon } from '../icon/Icon.tsx';
import * as texts from './texts.ts';
import styles from './verdicts.module.css';
import { summaryOf, type Verdict } from './verdicts.ts';

/** Number of passed checks shown at first. */
const FEW = 3;

/** Layout with two columns: the input and the result. */
export function Sides({ asked, about, answer }: { asked: ReactNode; about: string; answer: ReactNode }) {
  return (
    <div className={styles.sides}>
      <section aria-label={about}>{asked}</section>
      <section aria-label={texts.verdicts} aria-live="polite">
        {answer}
      </section>
    </div>
  );
}

interface AnswerProps {
  /** Result in a sentence. */
  readonly says: string;
  /** Details that explain the result. */
  readonly children: ReactNode;
  /** Suggested actions. */
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
  /** Name of the role or identity. */
  readonly name: string;
  readonly isAdmitted: boolean;
  /** Words that replace `accepts it` and `refuses it`. */
  readonly says?: string;
  /** Short summary beside the name. */
  readonly summary?: string;
  readonly warnings?: readonly string[];
  readonly refused: readonly Verdict[];
  readonly passed: readonly Verdict[];
  readonly isOpen: boolean;
}

/** Checks of one role or identity. */
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
          {says ?? (isAdmitted ? texts.acceptsIt : texts.refusesIt)}
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
        <caption className="sr">{texts.checksOf(name)}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.check}</th>
            <th scope="col">{texts.expected}</th>
            <th scope="col">{texts.actual}</th>
          </tr>
        </thead>
        <tbody>
          {[...refused, ...shown].map((verdict, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a check can appear once for each certificate
            <Check key={`${verdict.check} ${at}`} verdict={verdict} />
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          {texts.morePassed(left)}
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
          <span className="sr">{isGood ? texts.passed2 : texts.refused}</span>
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
                {texts.certificate} <bdi>{certificate.subject}</bdi>.{' '}
              </>
            )}
            {hint}
          </td>
        </tr>
      )}
    </>
  );
}
