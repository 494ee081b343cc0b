import { useMutation } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../api/client.ts';
import { Form } from '../../components/form/Form.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Section } from '../../components/section/Section.tsx';
import { AT, checkSays } from './provider.ts';
import styles from './provider-check.module.css';
import * as texts from './texts.ts';

type Checked = Resources['sign-in-provider-checks']['attributes'];

const SIGNS = {
  success: { name: 'check', is: 'good' },
  skipped: { name: 'help', is: 'idle' },
  warning: { name: 'warn', is: 'attention' },
  failure: { name: 'x', is: 'bad' },
} as const;

/** Checks the stored provider before users try to sign in. */
export function ProviderCheck({ organization }: { readonly organization: string }) {
  const path = { organization_name: organization };
  const check = useMutation({ mutationFn: () => workspaces.send(`POST ${AT}/actions/check`, { path }) });
  const checked = check.data?.data.attributes;
  return (
    <Section title={texts.providerCheck}>
      <p className="soft">{texts.sendsTheRequestsOf}</p>
      <Form
        action={texts.checkProvider}
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

/** Results of the checks, in the order of a sign-in. */
function Verdicts({ of: verdicts }: { readonly of: Checked['verdicts'] }) {
  return (
    <ol className={styles.verdicts} aria-label={texts.results}>
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
