import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { workspaces } from '../../../../api/client.ts';
import { Button, buttonClass } from '../../../../components/button/Button.tsx';
import { Field } from '../../../../components/form/Field.tsx';
import { QueryResult } from '../../../../components/page-states/QueryResult.tsx';
import { LinkInstallations } from '../LinkInstallations.tsx';
import * as texts from '../texts.ts';
import styles from '../version-control.module.css';
import type { CredentialStepProps } from './CredentialStep.tsx';

/** Creates a GitHub App by a manifest, or links installations of the App that the organization has. */
export function AppStep({ organization, search, onBack }: CredentialStepProps) {
  const back = (
    <Button look="quiet" onClick={onBack}>
      {texts.back}
    </Button>
  );
  const apps = useQuery(
    workspaces.query('GET /organizations/{organization_name}/github-apps', {
      path: { organization_name: organization },
    }),
  );
  return (
    <QueryResult query={apps} what={texts.githubApp}>
      {({ data: [app] }) =>
        app === undefined ? (
          <NewApp organization={organization} http={search.http ?? ''} back={back} />
        ) : (
          <section className={styles.guide} aria-label={texts.githubApp}>
            <p>{texts.theAppExists}</p>
            <div className={styles.actions}>
              <a className={buttonClass()} href={app.attributes['install-url']} target="_blank" rel="noreferrer">
                {texts.installTheApp} <span className="sr">{texts.opensInANewTab}</span>
              </a>
              <LinkInstallations organization={organization} />
              {back}
            </div>
          </section>
        )
      }
    </QueryResult>
  );
}

interface NewAppProps {
  readonly organization: string;
  readonly http: string;
  readonly back: ReactNode;
}

function NewApp({ organization, http, back }: NewAppProps) {
  const [account, setAccount] = useState('');
  return (
    <>
      <section className={styles.guide} aria-label={texts.githubApp}>
        <h3>{texts.githubApp}</h3>
        <ol>
          {texts.appSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p className="soft">{texts.permissionsOfTheApp}</p>
      </section>
      <form className={styles.form} method="post" action="/auth/github-app">
        <input type="hidden" name="organization_id" value={organization} />
        <input type="hidden" name="http_url" value={http} />
        <Field
          name="account"
          label={texts.organizationAtGitHub}
          help={texts.ownerOfTheApp}
          maxLength={100}
          value={account}
          onText={setAccount}
          autoComplete="off"
          spellCheck={false}
        />
        <div className={styles.actions}>
          <Button type="submit" look="primary">
            {texts.createTheApp}
          </Button>
          {back}
        </div>
      </form>
    </>
  );
}
