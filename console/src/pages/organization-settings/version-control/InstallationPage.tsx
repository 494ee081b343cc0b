import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../../api/client.ts';
import { buttonClass } from '../../../components/button/Button.tsx';
import { Destroy } from '../../../components/destroy/Destroy.tsx';
import { Facts } from '../../../components/facts/Facts.tsx';
import { QueryResult } from '../../../components/page-states/QueryResult.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { affectedBy, EVERY_MS } from './connection.ts';
import { CheckNow, healthFacts } from './Health.tsx';
import { Repositories } from './Repositories.tsx';
import * as texts from './texts.ts';
import styles from './version-control.module.css';

interface PageProps {
  readonly organization: string;
  readonly id: string;
}

/** An installation of the GitHub App, by which workspaces follow repositories. */
export function InstallationPage({ organization, id }: PageProps) {
  const path = { github_app_installation_id: id };
  const navigate = useNavigate();
  const query = useQuery({
    ...workspaces.query('GET /github-app/installation/{github_app_installation_id}', { path }),
    refetchInterval: EVERY_MS,
  });
  return (
    <QueryResult query={query} what={texts.theConnection}>
      {({ data: { attributes } }) => (
        <>
          <Section title={attributes.name} note={texts.installation}>
            <Facts of={healthFacts(attributes)} />
            <div className={styles.actions}>
              <CheckNow
                run={() =>
                  workspaces.send('POST /github-app-installations/{github_app_installation_id}/actions/check', { path })
                }
              />
              <a className={buttonClass()} href={attributes['installation-url']} target="_blank" rel="noreferrer">
                {texts.openAtGitHub} <span className="sr">{texts.opensInANewTab}</span>
              </a>
            </div>
          </Section>
          <Repositories organization={organization} connection={id} />
          <Section title={texts.deletion}>
            <div className={styles.actions}>
              <Destroy
                verb={texts.unlinkInstallation}
                what={texts.connectionNamed(attributes.name)}
                name={attributes.name}
                run={() =>
                  workspaces.send(
                    'DELETE /organizations/{organization_name}/github-app-installations/{github_app_installation_id}',
                    { path: { organization_name: organization, ...path } },
                  )
                }
                onDone={() => navigate({ to: '/$organization/settings/version-control', params: { organization } })}
              >
                <p>{affectedBy(attributes['affected-workspaces-count'])}</p>
              </Destroy>
            </div>
          </Section>
        </>
      )}
    </QueryResult>
  );
}
