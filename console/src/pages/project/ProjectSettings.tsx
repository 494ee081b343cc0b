import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { ApprovalRules } from '../../components/approval-rules/ApprovalRules.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Area, Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { NotificationList } from '../../components/notifications/NotificationList.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { counted } from '../../format/number.ts';
import { day } from '../../format/time.ts';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';
import { useProject } from './use-project.ts';

const UPDATE = 'PATCH /projects/{project_id}';
const MODES = [
  ['', texts.organizationDefault],
  ['remote', texts.remoteAgentsOfThe],
  ['agent', texts.agentAgentsOfA],
  ['local', texts.localTheClientPlans],
] as const;

/** Settings of a project: name, defaults of its workspaces, and deletion. */
export function ProjectSettings() {
  const { organization, id, name, query, crumbs } = useProject();
  usePlace([...crumbs, { label: texts.settings }]);
  usePathLine({ request: workspaces.request(UPDATE, { path: { project_id: id } }) });
  const navigate = useNavigate();
  const tags = useQuery(workspaces.query('GET /projects/{project_id}/tag-bindings', { path: { project_id: id } }));
  const project = query.data?.data;
  if (!project) return null;
  const { attributes } = project;
  const may = attributes.permissions;
  return (
    <>
      <Section title={texts.general}>
        {may['can-update'] && tags.data ? (
          <SettingsForm key={id} organization={organization} project={project} tags={tags.data.data} />
        ) : (
          <Facts
            of={[
              [texts.id, <Copyable key="id" text={id} what={texts.id2} />],
              [texts.execution, attributes['default-execution-mode']],
              [texts.created, day(attributes['created-at'])],
            ]}
          />
        )}
      </Section>
      {may['can-update'] && <NotificationList scope={{ type: 'projects', id, organization }} needs="can-update" />}
      <ApprovalRules organization={organization} owner={{ project: id }} mayChange={may['can-update']} />
      {may['can-destroy'] && (
        <Section title={texts.deletion}>
          <p>
            {attributes['workspace-count'] > 0
              ? texts.theProjectContainsMove(counted(attributes['workspace-count'], texts.workspace))
              : texts.theProjectIsEmpty}
          </p>
          {attributes['workspace-count'] === 0 && (
            <p>
              <Destroy
                verb={texts.deleteText}
                what={texts.project3(name)}
                name={name}
                run={() => workspaces.send('DELETE /projects/{project_id}', { path: { project_id: id } })}
                onDone={() => navigate({ to: '/$organization/projects', params: { organization } })}
              >
                <p>{texts.thisAlsoRemovesThe(counted(attributes['team-count'], texts.team2))}</p>
              </Destroy>
            </p>
          )}
        </Section>
      )}
    </>
  );
}

interface FormProps {
  readonly organization: string;
  readonly project: Resources['projects'];
  readonly tags: readonly Resources['tag-bindings'][];
}

function SettingsForm({ organization, project, tags: bound }: FormProps) {
  const { attributes, relationships } = project;
  const overwrites = attributes['setting-overwrites']['default-execution-mode'];
  const [name, setName] = useState(attributes.name);
  const [description, setDescription] = useState(attributes.description ?? '');
  const [mode, setMode] = useState<string>(overwrites ? attributes['default-execution-mode'] : '');
  const [pool, setPool] = useState(relationships['default-agent-pool'].data?.id ?? '');
  const [tags, setTags] = useState(
    bound.map(({ attributes: { key, value } }) => (value ? `${key}=${value}` : key)).join('\n'),
  );
  const [period, setPeriod] = useState(attributes['auto-destroy-activity-duration'] ?? '');
  const pools = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/agent-pools', {
      path: { organization_name: organization },
      query: { 'page[size]': '100' },
    }),
    enabled: mode === 'agent' && attributes.permissions['can-create-workspace'],
  });
  const save = useChange(() =>
    workspaces.send(UPDATE, {
      path: { project_id: project.id },
      body: {
        data: {
          type: 'projects',
          attributes: {
            name,
            description: description || null,
            'auto-destroy-activity-duration': period || null,
            ...(mode
              ? {
                  'default-execution-mode': mode as 'remote',
                  ...(mode === 'agent' && { 'default-agent-pool-id': pool }),
                }
              : { 'setting-overwrites': { 'default-execution-mode': false, 'default-agent-pool': false } }),
          },
          ...(attributes.permissions['can-manage-tags'] && {
            relationships: { 'tag-bindings': { data: tagsOf(tags) } },
          }),
        },
      },
    }),
  );
  return (
    <Form
      action={texts.save}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      done={save.isSuccess && texts.saved}
    >
      <Field name="name" label={texts.name} maxLength={40} value={name} onText={setName} />
      <Area name="description" label={texts.description} value={description} onText={setDescription} rows={2} />
      <Select name="default-execution-mode" label={texts.execution} value={mode} options={MODES} onText={setMode} />
      {mode === 'agent' && (
        <Select
          name="default-agent-pool-id"
          label={texts.agentPool}
          value={pool}
          options={[
            ['', texts.select],
            ...(pools.data?.data ?? []).map((one) => [one.id, one.attributes.name] as const),
          ]}
          onText={setPool}
        />
      )}
      {attributes.permissions['can-manage-tags'] && (
        <Area name="tag-bindings" label={texts.tags} help={texts.oneOnEachLine} isCode value={tags} onText={setTags} />
      )}
      <Field
        name="auto-destroy-activity-duration"
        label={texts.destroyAfterInactivityOf}
        help={texts.defaultForNewWorkspaces}
        value={period}
        onText={setPeriod}
      />
    </Form>
  );
}

const tagsOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [key = '', ...value] = line.split('=');
      return { type: 'tag-bindings' as const, attributes: { key, value: value.join('=') } };
    });
