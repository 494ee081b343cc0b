import { Icon } from '../../components/icon/Icon.tsx';
import styles from './audit.module.css';
import type { RoleVerdicts } from './record.ts';

/** Why a login was refused: what each role wanted, and what it found. The words are the server's own. */
export function Verdicts({ of }: { readonly of: readonly RoleVerdicts[] }) {
  return of.map(({ role, verdicts }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they never change
    <section key={at} className={styles.verdicts}>
      <h3 className={styles.part}>{role === undefined ? 'Why' : `Role ${role}`}</h3>
      <ul>
        {verdicts.map(({ check, outcome, expected, actual }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change
          <li key={index}>
            <Icon name={outcome === 'passed' ? 'gate-open' : 'gate-shut'} is={outcome === 'passed' ? 'good' : 'bad'} />
            <span>
              <code>{check}</code> {outcome}
              {outcome !== 'passed' && (
                <span className={styles.found}>
                  <span className="soft">wants</span> <code>{expected}</code> <span className="soft">found</span>{' '}
                  <code>{actual}</code>
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  ));
}
