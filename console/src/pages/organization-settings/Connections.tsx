import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { NotForYou, usePart } from './part.tsx';

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

/** Connections to version control. */
export function Connections() {
  const { organization, path, may } = usePart(
    'Connections',
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
      title="Connections"
      end={
        manages && (
          <Button look="small" onClick={() => setAdding(true)}>
            Connect…
          </Button>
        )
      }
    >
      <p className="soft">
        To version control, for workspaces that name a repository. Tokens are sealed, and in no answer.
      </p>
      <Answered query={clients} what="Connections">
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">There is none.</p>
          ) : (
            <Table
              label="Connections"
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'name',
                  head: 'Name',
                  isName: true,
                  cell: ({ attributes }) => <bdi>{attributes.name || attributes['service-provider-display-name']}</bdi>,
                },
                {
                  id: 'provider',
                  head: 'Service',
                  className: 'soft',
                  cell: ({ attributes }) => attributes['service-provider-display-name'],
                },
                { id: 'url', head: 'Address', cell: ({ attributes }) => <code>{attributes['http-url']}</code> },
                {
                  id: 'scope',
                  head: 'For',
                  className: 'soft',
                  cell: ({ attributes }) => (attributes['organization-scoped'] ? 'every project' : 'named projects'),
                },
                {
                  id: 'do',
                  head: 'What can be done',
                  hideHead: true,
                  isNumber: true,
                  cell: ({ id, attributes }) =>
                    manages && (
                      <Destroy
                        verb="Delete"
                        what={`connection ${attributes.name || attributes['service-provider-display-name']}`}
                        isRow
                        run={() =>
                          workspaces.send('DELETE /oauth-clients/{oauth_client_id}', { path: { oauth_client_id: id } })
                        }
                      >
                        <p>Its tokens go with it. Workspaces that use it lose the way to their repositories.</p>
                      </Destroy>
                    ),
                },
              ]}
            />
          )
        }
      </Answered>
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
      title="Connect to version control"
      action="Connect"
      busy={add.isPending}
      fault={add.error}
      off={(token === '' || http === '' || api === '') && 'It needs addresses and a token'}
      onAction={() => add.mutate()}
      onClose={onClose}
    >
      <Select
        name="service-provider"
        label="Service"
        value={provider}
        options={PROVIDERS.map(([id, label]) => [id, label] as const)}
        onText={choose}
      />
      <Field name="name" label="Name" value={name} onText={setName} />
      <Field name="http-url" label="Address" type="url" value={http} onText={setHttp} />
      <Field name="api-url" label="Address of its API" type="url" value={api} onText={setApi} />
      <Field
        name="oauth-token-string"
        label="Token"
        help="A token of that service, which reads repositories."
        type="password"
        autoComplete="off"
        value={token}
        onText={setToken}
      />
    </AskDialog>
  );
}
