import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { NotForYou, usePart } from './part.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/oauth-clients';
const PROVIDERS = [
  ['github', 'GitHub', 'https://github.com', 'https://api.github.com'],
  ['github_enterprise', 'GitHub Enterprise', '', ''],
  ['gitlab_hosted', 'GitLab.com', 'https://gitlab.com', 'https://gitlab.com/api/v4'],
  ['gitlab_enterprise_edition', 'GitLab', '', ''],
  ['bitbucket_hosted', 'Bitbucket Cloud', 'https://bitbucket.org', 'https://api.bitbucket.org'],
  ['bitbucket_data_center', 'Bitbucket Data Center', '', ''],
  ['ado_services', 'Azure DevOps', 'https://dev.azure.com', 'https://dev.azure.com'],
] as const;
type Provider = (typeof PROVIDERS)[number][0];

/** VCS providers of an organization. */
export function Connections() {
  const { organization, path, may } = usePart(
    texts.vcsProviders,
    (name) => workspaces.request(LIST, { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}/oauth-clients`,
  );
  const sees = (may?.['can-update-oauth'] || may?.['can-create-workspace']) ?? false;
  const clients = useQuery({ ...workspaces.query(LIST, { path, query: { 'page[size]': '100' } }), enabled: sees });
  const [isAdding, setAdding] = useState(false);
  const manages = may?.['can-update-oauth'] ?? false;
  if (may && !sees) return <NotForYou needs="can-update-oauth" />;
  return (
    <Section
      title={texts.vcsProviders}
      end={
        manages && (
          <Button look="small" onClick={() => setAdding(true)}>
            {texts.addVcsProvider}
          </Button>
        )
      }
    >
      <p className="soft">{texts.connectionsToVersionControl}</p>
      <QueryResult query={clients} what={texts.vcsProviders}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noVcsProvidersYet}</p>
          ) : (
            <Table
              label={texts.vcsProviders}
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'name',
                  head: texts.name,
                  isName: true,
                  cell: ({ attributes }) => <bdi>{attributes.name || attributes['service-provider-display-name']}</bdi>,
                },
                {
                  id: 'provider',
                  head: texts.service,
                  className: 'soft',
                  cell: ({ attributes }) => attributes['service-provider-display-name'],
                },
                { id: 'url', head: texts.url, cell: ({ attributes }) => <code>{attributes['http-url']}</code> },
                {
                  id: 'scope',
                  head: texts.availableTo,
                  className: 'soft',
                  cell: ({ attributes }) =>
                    attributes['organization-scoped'] ? texts.everyProject : texts.selectedProjects,
                },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: ({ id, attributes }) =>
                    manages && (
                      <Destroy
                        verb={texts.deleteText}
                        what={texts.vcsProvider(attributes.name || attributes['service-provider-display-name'])}
                        isRow
                        run={() =>
                          workspaces.send('DELETE /oauth-clients/{oauth_client_id}', { path: { oauth_client_id: id } })
                        }
                      >
                        <p>{texts.thisAlsoDeletesIts}</p>
                      </Destroy>
                    ),
                },
              ]}
            />
          )
        }
      </QueryResult>
      {isAdding && <Connect organization={organization} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function Connect({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const [provider, setProvider] = useState<Provider>('github');
  const [name, setName] = useState('');
  const [http, setHttp] = useState<string>('https://github.com');
  const [api, setApi] = useState<string>('https://api.github.com');
  const [token, setToken] = useState('');
  const choose = (value: string) => {
    const [id = 'github', , address = '', below = ''] = PROVIDERS.find(([one]) => one === value) ?? [];
    setProvider(id);
    setHttp(address);
    setApi(below);
  };
  const add = useChange(
    () =>
      workspaces.send('POST /organizations/{organization_name}/oauth-clients', {
        path: { organization_name: organization },
        body: {
          data: {
            type: 'oauth-clients',
            attributes: {
              'service-provider': provider,
              'http-url': http,
              'api-url': api,
              'oauth-token-string': token,
              ...(name && { name }),
            },
          },
        },
      }),
    onClose,
  );
  return (
    <AskDialog
      title={texts.addAVcsProvider}
      action={texts.add}
      busy={add.isPending}
      fault={add.error}
      off={(token === '' || http === '' || api === '') && texts.enterBothUrlsAnd}
      onAction={() => add.mutate()}
      onClose={onClose}
    >
      <Select
        name="service-provider"
        label={texts.service}
        value={provider}
        options={PROVIDERS.map(([id, label]) => [id, label] as const)}
        onText={choose}
      />
      <Field name="name" label={texts.name} value={name} onText={setName} />
      <Field name="http-url" label={texts.url} type="url" value={http} onText={setHttp} />
      <Field name="api-url" label={texts.apiUrl} type="url" value={api} onText={setApi} />
      <Field
        name="oauth-token-string"
        label={texts.accessToken}
        help={texts.anAccessTokenOf}
        type="password"
        autoComplete="off"
        value={token}
        onText={setToken}
      />
    </AskDialog>
  );
}
