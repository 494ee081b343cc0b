import { Icon } from '../../components/icon/Icon.tsx';
import styles from './audit.module.css';
import type { RoleVerdicts } from './record.ts';
import * as texts from './texts.ts';

/** Reasons of a refused login, in the server's words: checks of each role with expected and actual values. */
export function Verdicts({ of }: { readonly of: readonly RoleVerdicts[] }) {
  return of.map(({ role, verdicts }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they never change
    <section key={at} className={styles.verdicts}>
      <h3 className={styles.part}>{role === undefined ? texts.reason : texts.role(role)}</h3>
      <ul>
        {verdicts.map(({ check, outcome, expected, actual }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change
          <li key={index}>
            <Icon name={outcome === 'passed' ? 'gate-open' : 'gate-shut'} is={outcome === 'passed' ? 'good' : 'bad'} />
            <span>
              <code>{check}</code> {outcome}
              {outcome !== 'passed' && (
                <span className={styles.found}>
                  <span className="soft">{texts.expected}</span> <code>{expected}</code>{' '}
                  <span className="soft">{texts.actual}</span> <code>{actual}</code>
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  ));
}
