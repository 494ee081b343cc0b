import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { Answered } from '../../components/faces/Answered.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { quoted, usePathLine } from '../../components/path-line/path-line.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';

const route = getRouteApi('/signed-in/$organization/workspaces/~new');
const CREATE = 'POST /organizations/{organization_name}/workspaces';
/** Those that a choice can show. */
const MOST = '100';

const MODES = [
  ['', 'as the project says'],
  ['remote', 'remote: an agent plans and applies'],
  ['local', 'local: whoever calls plans and applies, the state is here'],
] as const;
const ENGINES = [
  ['', 'as the organization says'],
  ['opentofu', 'OpenTofu'],
  ['terraform', 'Terraform'],
] as const;

/** A new workspace: what has to be said of it, and nothing that can be said later. */
export function NewWorkspacePage() {
  const { organization } = route.useParams();
  const path = { organization_name: organization };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [project, setProject] = useState('');
  const [mode, setMode] = useState('');
  const [engine, setEngine] = useState('');
  const [tags, setTags] = useState('');
  const body = bodyOf({ name, description, project, mode, engine, tags });
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: 'Workspaces', to: `/${organization}/workspaces` },
    { label: 'New workspace' },
  ]);
  usePathLine({
    request: workspaces.request(CREATE, { path, body: body as never }),
    command: name ? `lockkeeper workspace create ${quoted(`${organization}/${name}`)}` : undefined,
  });
  const may = useQuery(workspaces.query('GET /organizations/{organization_name}', { path }));
  const projects = useQuery(
    workspaces.query('GET /organizations/{organization_name}/projects', { path, query: { 'page[size]': MOST } }),
  );
  const create = useMutation({
    mutationFn: () => workspaces.send(CREATE, { path, body: body as never }),
    onSuccess: async ({ data }) => {
      announce(`Created ${data.attributes.name}`);
      await queries.invalidateQueries({ queryKey: workspaces.key() });
      await navigate({
        to: '/$organization/workspaces/$workspace',
        params: { organization, workspace: data.attributes.name },
      });
    },
  });
  const options = (projects.data?.data ?? []).map(({ id, attributes }) => [id, attributes.name] as const);
  return (
    <Answered query={may} what={`Workspaces of ${organization}`} isPage>
      {({ data }) => (
        <>
          <PageHead
            title="New workspace"
            lede="It keeps the state of one configuration, and lets one run at a time change it."
          />
          {data.attributes.permissions['can-create-workspace'] ? (
            <Form
              action="Create workspace"
              onSubmit={() => create.mutate()}
              busy={create.isPending}
              fault={create.error}
              off={name === '' && 'It needs a name'}
            >
              <Field
                name="name"
                label="Name"
                help="Letters, digits, - and _. Command lines find it by this name."
                maxLength={90}
                value={name}
                onText={setName}
                autoComplete="off"
                spellCheck={false}
              />
              <Field name="description" label="Description" value={description} onText={setDescription} />
              <Select
                label="Project"
                help="Who may use it follows the project."
                value={project}
                options={[['', 'the default project'], ...options]}
                onText={setProject}
              />
              <Select name="execution-mode" label="Execution" value={mode} options={MODES} onText={setMode} />
              <Select name="engine" label="Engine" value={engine} options={ENGINES} onText={setEngine} />
              <Field label="Tags" help="With spaces between them." value={tags} onText={setTags} />
            </Form>
          ) : (
            <p>
              You may not create workspaces in {organization}: that takes a team that manages workspaces or projects.{' '}
              <Link className="link" to="/$organization/workspaces" params={{ organization }}>
                All workspaces
              </Link>
            </p>
          )}
        </>
      )}
    </Answered>
  );
}

interface Given {
  readonly name: string;
  readonly description: string;
  readonly project: string;
  readonly mode: string;
  readonly engine: string;
  readonly tags: string;
}

/** What was left as it is, is not sent. */
function bodyOf({ name, description, project, mode, engine, tags }: Given) {
  const names = tags.split(/[\s,]+/).filter(Boolean);
  return {
    data: {
      type: 'workspaces',
      attributes: {
        name,
        ...(description && { description }),
        ...(mode && { 'execution-mode': mode }),
        ...(engine && { engine }),
      },
      relationships: {
        ...(project && { project: { data: { type: 'projects', id: project } } }),
        ...(names.length > 0 && { tags: { data: names.map((tag) => ({ type: 'tags', attributes: { name: tag } })) } }),
      },
    },
  };
}
