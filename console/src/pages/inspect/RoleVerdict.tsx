import { useState } from 'react';
import { type ExplainedRole, summaryOf, type Verdict, verdictsOf } from '../../components/certificate/verdicts.ts';
import { Icon } from '../../components/icon/Icon.tsx';
import { counted } from '../../format/number.ts';
import styles from './inspect.module.css';

/** Passed checks that are shown at once: those after them are asked for. */
const FEW = 3;

/** What a role makes of it, check by check, in the server's own words. */
export function RoleVerdict({ role, isOpen }: { readonly role: ExplainedRole; readonly isOpen: boolean }) {
  const [all, setAll] = useState(false);
  const { refused, passed } = verdictsOf(role);
  const shown = all ? passed : passed.slice(0, FEW);
  const left = passed.length - shown.length;
  return (
    <details className={styles.role} open={isOpen}>
      <summary>
        <Icon name={role.admitted ? 'gate-open' : 'gate-shut'} is={role.admitted ? 'good' : 'bad'} />
        <strong>{role.role}</strong>
        <span className={role.admitted ? styles.good : styles.bad}>{role.admitted ? 'admits it' : 'refuses it'}</span>
        <span className={`${styles.summary} soft`}>{summaryOf(role)}</span>
        <Icon name="down" className={styles.caret ?? ''} />
      </summary>
      {role.warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
      <table className={styles.checks}>
        <caption className="sr">Checks of the role {role.role}</caption>
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
