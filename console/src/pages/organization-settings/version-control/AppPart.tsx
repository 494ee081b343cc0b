import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workspaces } from '../../../api/client.ts';
import { buttonClass } from '../../../components/button/Button.tsx';
import { Destroy } from '../../../components/destroy/Destroy.tsx';
import { QueryResult } from '../../../components/page-states/QueryResult.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { Table } from '../../../components/table/Table.tsx';
import { counted } from '../../../format/number.ts';
import { affectedBy, EVERY_MS, MOST } from './connection.ts';
import { Health } from './Health.tsx';
import { LinkInstallations } from './LinkInstallations.tsx';
import * as texts from './texts.ts';
import styles from './version-control.module.css';

/** GitHub App of an organization and its installations. Shows nothing without an App. */
export function AppPart({ organization }: { readonly organization: string }) {
  const path = { organization_name: organization };
  const apps = useQuery(workspaces.query('GET /organizations/{organization_name}/github-apps', { path }));
  const installations = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/github-app-installations', {
      path,
      query: { 'page[size]': MOST },
    }),
    refetchInterval: EVERY_MS,
  });
  const app = apps.data?.data[0];
  if (app === undefined) return null;
  const { name, 'install-url': installUrl } = app.attributes;
  const affected = (installations.data?.data ?? []).reduce(
    (sum, { attributes }) => sum + attributes['affected-workspaces-count'],
    0,
  );
  return (
    <Section
      title={texts.githubApp}
      note={<bdi>{name}</bdi>}
      end={
        <Destroy
          verb={texts.deleteText}
          what={texts.appNamed(name)}
          name={name}
          isRow
          run={() => workspaces.send('DELETE /organizations/{organization_name}/github-app', { path })}
        >
          <p>{texts.theAppAtGitHubStays(affectedBy(affected))}</p>
        </Destroy>
      }
    >
      <p className="soft">{texts.theAppAsks}</p>
      <div className={styles.actions}>
        <a className={buttonClass()} href={installUrl} target="_blank" rel="noreferrer">
          {texts.installTheApp} <span className="sr">{texts.opensInANewTab}</span>
        </a>
        <LinkInstallations organization={organization} />
      </div>
      <QueryResult query={installations} what={texts.githubApp}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noInstallationsYet}</p>
          ) : (
            <Table
              label={texts.githubApp}
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'name',
                  head: texts.account,
                  isName: true,
                  cell: ({ id, attributes }) => (
                    <Link
                      to="/$organization/settings/version-control/$connection"
                      params={{ organization, connection: id }}
                    >
                      <bdi>{attributes.name}</bdi>
                    </Link>
                  ),
                },
                { id: 'health', head: texts.health, cell: ({ attributes }) => <Health attributes={attributes} /> },
                {
                  id: 'workspaces',
                  head: texts.workspaces,
                  isNumber: true,
                  cell: ({ attributes }) => counted(attributes['affected-workspaces-count'], 'workspace'),
                },
              ]}
            />
          )
        }
      </QueryResult>
    </Section>
  );
}
