import { useMutation } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../api/client.ts';
import { Form } from '../../components/form/Form.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Section } from '../../components/section/Section.tsx';
import { AT, checkSays } from './provider.ts';
import styles from './provider-check.module.css';

type Checked = Resources['sign-in-provider-checks']['attributes'];

const SIGNS = {
  success: { name: 'check', is: 'good' },
  skipped: { name: 'help', is: 'idle' },
  warning: { name: 'warn', is: 'attention' },
  failure: { name: 'x', is: 'bad' },
} as const;

/** Whether people could sign in with the provider as it is stored, before they try. */
export function ProviderCheck({ organization }: { readonly organization: string }) {
  const path = { organization_name: organization };
  const check = useMutation({ mutationFn: () => workspaces.send(`POST ${AT}/actions/check`, { path }) });
  const checked = check.data?.data.attributes;
  return (
    <Section title="Check">
      <p className="soft">
        Asks the provider, as it is saved, what a sign-in would ask. Nobody is signed in, and nothing is kept.
      </p>
      <Form
        action="Check provider"
        isPrimary={false}
        busy={check.isPending}
        fault={check.error}
        onSubmit={() => check.mutate()}
        done={checked && !check.isPending && checkSays(checked)}
      >
        {null}
      </Form>
      {checked && <Verdicts of={checked.verdicts} />}
    </Section>
  );
}

/** In the order of a sign-in. */
function Verdicts({ of: verdicts }: { readonly of: Checked['verdicts'] }) {
  return (
    <ol className={styles.verdicts} aria-label="Verdicts">
      {verdicts.map(({ check, status, found, detail, advice }) => (
        <li key={check}>
          <Icon {...SIGNS[status]} />
          <span>
            <span className="sr">{status}: </span>
            <code>{check}</code>
          </span>
          <div>
            <p>
              {found} {detail && <bdi className="mono soft">{detail}</bdi>}
            </p>
            {advice && <p className="soft">{advice}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
