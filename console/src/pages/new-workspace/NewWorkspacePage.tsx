import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { Check, Field, FieldGroup, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { quoted, usePathLine } from '../../components/path-line/path-line.ts';
import { RepositoryFields } from '../../components/vcs/RepositoryFields.tsx';
import { attributesOf, type Followed, isComplete, NOTHING_FOLLOWED } from '../../components/vcs/triggers.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';

const route = getRouteApi('/signed-in/$organization/workspaces/~new');
const CREATE = 'POST /organizations/{organization_name}/workspaces';
/** Number of projects offered for selection. */
const MOST = '100';

const MODES = [
  ['', texts.projectDefault],
  ['remote', texts.remoteAnAgentPlans],
  ['local', texts.localTheClientPlans],
] as const;
const ENGINES = [
  ['', texts.organizationDefault],
  ['opentofu', 'OpenTofu'],
  ['terraform', 'Terraform'],
] as const;

/** Form for a new workspace, with the most important settings only. */
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
  const [followed, setFollowed] = useState<Followed>(NOTHING_FOLLOWED);
  const follows = followed.connection !== '';
  const body = bodyOf({ name, description, project, mode, engine, tags, followed });
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: texts.workspaces, to: `/${organization}/workspaces` },
    { label: texts.newWorkspace },
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
      announce(texts.created(data.attributes.name));
      await queries.invalidateQueries({ queryKey: workspaces.key() });
      // The settings show whether the server has found the repository, and which commits start runs.
      await navigate({
        to: `/$organization/workspaces/$workspace${follows ? '/settings/version-control' : ''}`,
        params: { organization, workspace: data.attributes.name },
      });
    },
  });
  const options = (projects.data?.data ?? []).map(({ id, attributes }) => [id, attributes.name] as const);
  return (
    <QueryResult query={may} what={texts.workspacesOf(organization)} isPage>
      {({ data }) => (
        <>
          <PageHead title={texts.newWorkspace} lede={texts.aWorkspaceStoresThe} />
          {data.attributes.permissions['can-create-workspace'] ? (
            <Form
              action={texts.createWorkspace}
              onSubmit={() => create.mutate()}
              busy={create.isPending}
              fault={create.error}
              off={(name === '' && texts.enterAName) || (follows && !isComplete(followed) && texts.enterARepository)}
            >
              <Field
                name="name"
                label={texts.name}
                help={texts.lettersDigitsAndOpentofu}
                maxLength={90}
                value={name}
                onText={setName}
                autoComplete="off"
                spellCheck={false}
              />
              <Field name="description" label={texts.description} value={description} onText={setDescription} />
              <Select
                label={texts.project}
                help={texts.permissionsOnTheProject}
                value={project}
                options={[['', texts.defaultProject], ...options]}
                onText={setProject}
              />
              <Select name="execution-mode" label={texts.execution} value={mode} options={MODES} onText={setMode} />
              <Select name="engine" label={texts.engine} value={engine} options={ENGINES} onText={setEngine} />
              <Field label={texts.tags} help={texts.separateTagsWithSpaces} value={tags} onText={setTags} />
              <FieldGroup label={texts.versionControl}>
                <RepositoryFields
                  organization={organization}
                  value={followed}
                  onValue={(change) => setFollowed((known) => ({ ...known, ...change }))}
                />
                {follows && (
                  <Check
                    name="queue-all-runs"
                    label={texts.startTheFirstRun}
                    help={texts.ofTheNewestCommit}
                    checked={followed.queueAll}
                    onCheck={(queueAll) => setFollowed((known) => ({ ...known, queueAll }))}
                  />
                )}
              </FieldGroup>
            </Form>
          ) : (
            <p>
              {texts.youHaveNoPermission(organization)}{' '}
              <Link className="link" to="/$organization/workspaces" params={{ organization }}>
                {texts.showAllWorkspaces}
              </Link>
            </p>
          )}
        </>
      )}
    </QueryResult>
  );
}

interface Given {
  readonly name: string;
  readonly description: string;
  readonly project: string;
  readonly mode: string;
  readonly engine: string;
  readonly tags: string;
  readonly followed: Followed;
}

/** Leaves out fields with default values. */
function bodyOf({ name, description, project, mode, engine, tags, followed }: Given) {
  const names = tags.split(/[\s,]+/).filter(Boolean);
  return {
    data: {
      type: 'workspaces',
      attributes: {
        name,
        ...(description && { description }),
        ...(mode && { 'execution-mode': mode }),
        ...(engine && { engine }),
        ...(followed.connection !== '' && attributesOf(followed)),
      },
      relationships: {
        ...(project && { project: { data: { type: 'projects', id: project } } }),
        ...(names.length > 0 && { tags: { data: names.map((tag) => ({ type: 'tags', attributes: { name: tag } })) } }),
      },
    },
  };
}
