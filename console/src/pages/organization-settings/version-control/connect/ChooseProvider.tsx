import { Link } from '@tanstack/react-router';
import * as texts from '../texts.ts';
import styles from '../version-control.module.css';
import { PROVIDERS, type Provider } from './providers.ts';

interface ChooseProviderProps {
  readonly organization: string;
  readonly chosen: Provider | undefined;
}

/** Step 1: the provider. */
export function ChooseProvider({ organization, chosen }: ChooseProviderProps) {
  return (
    <>
      <p className="soft">{texts.chooseAProvider}</p>
      <ul className={styles.choices}>
        {PROVIDERS.map(({ id, label, note }) => (
          <li key={id}>
            <Link
              to="/$organization/settings/version-control/new"
              params={{ organization }}
              search={{ provider: id, step: '2' }}
              {...(id === chosen?.id && { 'aria-current': 'true' as const })}
            >
              <strong>{label}</strong>
              <span className="soft">{note}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
