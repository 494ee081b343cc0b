import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { workspaces } from '../../../api/client.ts';
import { Button } from '../../../components/button/Button.tsx';
import { Field, Select } from '../../../components/form/Field.tsx';
import { Form } from '../../../components/form/Form.tsx';
import { QueryResult } from '../../../components/page-states/QueryResult.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { Table } from '../../../components/table/Table.tsx';
import { type Connection, MOST } from './connection.ts';
import * as texts from './texts.ts';

const PROJECTS = 'GET /organizations/{organization_name}/projects';
const OF_CONNECTION = '/oauth-clients/{oauth_client_id}/relationships/projects';
const SCOPES = [
  ['every', texts.everyProject],
  ['selected', texts.selectedProjects],
] as const;

interface ConnectionProjectsProps {
  readonly organization: string;
  readonly connection: Connection;
}

/** Projects whose workspaces may use a connection. */
export function ConnectionProjects({ organization, connection }: ConnectionProjectsProps) {
  const { id, attributes, relationships } = connection;
  const path = { oauth_client_id: id };
  const isForAll = attributes['organization-scoped'];
  const [added, setAdded] = useState('');
  const [search, setSearch] = useState('');
  const projects = useQuery({
    ...workspaces.query(PROJECTS, {
      path: { organization_name: organization },
      query: { 'page[size]': MOST, ...(search !== '' && { q: search }) },
    }),
    enabled: !isForAll,
    placeholderData: keepPreviousData,
  });
  const isMany = (projects.data?.meta.pagination['total-count'] ?? 0) > Number(MOST);
  const scope = useChange((value: string) =>
    workspaces.send('PATCH /oauth-clients/{oauth_client_id}', {
      path,
      body: { data: { type: 'oauth-clients', attributes: { 'organization-scoped': value === 'every' } } },
    }),
  );
  const bodyOf = (project: string) => ({ data: [{ type: 'projects' as const, id: project }] });
  const add = useChange(
    () => workspaces.send(`POST ${OF_CONNECTION}`, { path, body: bodyOf(added) }),
    () => setAdded(''),
  );
  const remove = useChange((project: string) =>
    workspaces.send(`DELETE ${OF_CONNECTION}`, { path, body: bodyOf(project) }),
  );
  const chosen = new Set(relationships.projects.data?.map((project) => project.id));
  const names = new Map(projects.data?.data.map((project) => [project.id, project.attributes.name]));
  // The page has read only some of many projects. It shows the others by their ID.
  const nameOf = (project: string) => names.get(project) ?? project;
  return (
    <Section title={texts.projects}>
      <Select
        label={texts.availableTo}
        help={isForAll ? undefined : texts.onlyInTheseProjects}
        value={isForAll ? 'every' : 'selected'}
        options={SCOPES}
        off={scope.isPending && texts.save}
        onText={(value) => scope.mutate(value)}
      />
      {scope.error && <p role="alert">{scope.error.message}</p>}
      {!isForAll && (
        <QueryResult query={projects} what={texts.projects}>
          {({ data }) => (
            <>
              {chosen.size === 0 ? (
                <p className="soft">{texts.noProjectsYet}</p>
              ) : (
                <Table
                  label={texts.projects}
                  flush
                  items={[...chosen]}
                  keyOf={(project) => project}
                  columns={[
                    {
                      id: 'name',
                      head: texts.project,
                      isName: true,
                      cell: (project) => <bdi>{nameOf(project)}</bdi>,
                    },
                    {
                      id: 'do',
                      head: texts.remove,
                      hideHead: true,
                      isNumber: true,
                      cell: (project) => (
                        <Button
                          look="small"
                          aria-label={texts.removeProject(nameOf(project))}
                          onClick={() => remove.mutate(project)}
                        >
                          {texts.remove}
                        </Button>
                      ),
                    },
                  ]}
                />
              )}
              <Form
                action={texts.addProject}
                isPrimary={false}
                onSubmit={() => add.mutate()}
                busy={add.isPending}
                fault={add.error ?? remove.error}
                off={added === '' && texts.chooseAProject}
              >
                {(isMany || search !== '') && (
                  <Field label={texts.findAProject} type="search" value={search} onText={setSearch} />
                )}
                <Select
                  label={texts.project}
                  value={added}
                  options={[
                    ['', texts.select],
                    ...data
                      .filter((project) => !chosen.has(project.id))
                      .map((project) => [project.id, project.attributes.name] as const),
                  ]}
                  onText={setAdded}
                />
              </Form>
            </>
          )}
        </QueryResult>
      )}
    </Section>
  );
}
