import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { engineWords } from '../../../../src/lib/engines/engine-words.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { Tags } from '../../components/chip/Chip.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Panel, Section, Split } from '../../components/section/Section.tsx';
import { AutoDestroyState } from '../../components/state/AutoDestroyState.tsx';
import { RunState } from '../../components/state/State.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { count } from '../../format/number.ts';
import { day, exact } from '../../format/time.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace, type WorkspaceAnswer } from '../../shell/workspace.ts';
import { permissionsInWords } from './permissions.ts';
import { type ResourceType, resourceTypes } from './resource-types.ts';
import * as texts from './texts.ts';
import { useLatestRuns } from './use-counts.ts';
import styles from './workspace.module.css';

/** Overview of a workspace: latest run, resources and details. */
export function Overview() {
  const { organization, workspace, request, query } = useWorkspace();
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: texts.workspaces, to: `/${organization}/workspaces` },
    { label: workspace },
  ]);
  usePathLine({ request, command: `lockkeeper workspace show ${organization}/${workspace}` });
  const answer = query.data;
  if (!answer) return null;
  const may = answer.data.attributes.permissions;
  return (
    <Split aside={<WorkspaceFacts answer={answer} organization={organization} />}>
      {may['can-read-run'] && <LatestRun answer={answer} organization={organization} />}
      {may['can-read-run'] && <EarlierRuns answer={answer} organization={organization} />}
      {may['can-read-state-versions'] && <Holds id={answer.data.id} total={answer.data.attributes['resource-count']} />}
    </Split>
  );
}

interface PartProps {
  readonly answer: WorkspaceAnswer;
  readonly organization: string;
}

function LatestRun({ answer, organization }: PartProps) {
  const run = related(answer, answer.data.relationships['current-run']?.data, 'runs');
  if (!run) {
    return (
      <Section title={texts.latestRun}>
        <p className="soft">{texts.noRunsYetStart}</p>
      </Section>
    );
  }
  const { status, message } = run.attributes;
  const params = { organization, workspace: answer.data.attributes.name, run: run.id };
  return (
    <Panel
      title={texts.latestRun}
      note={<RunState status={status} />}
      end={
        <Link className="link" to="/$organization/workspaces/$workspace/runs/$run" params={params}>
          <code>{run.id}</code>
        </Link>
      }
    >
      <p className={styles.run}>
        <span className={styles.message}>{message || texts.noMessage}</span>
        <span className="soft">
          <Ago time={run.attributes['created-at']} inWords /> {texts.ago}
        </span>
      </p>
    </Panel>
  );
}

/** Runs before the latest one. Nothing without any. */
function EarlierRuns({ answer, organization }: PartProps) {
  const runs = useLatestRuns(answer).data;
  const latest = answer.data.relationships['current-run']?.data?.id;
  const earlier = runs?.data.filter(({ id }) => id !== latest).slice(0, 5) ?? [];
  if (!runs || earlier.length === 0) return null;
  const params = { organization, workspace: answer.data.attributes.name };
  return (
    <Section
      title={texts.earlierRuns}
      end={
        <Link className="link" to="/$organization/workspaces/$workspace/runs" params={params}>
          {texts.allRuns(count(runs.meta.pagination['total-count'] ?? earlier.length))}
        </Link>
      }
    >
      <Table
        label={texts.earlierRuns}
        flush
        twoLines
        items={earlier}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'message',
            head: texts.run,
            isName: true,
            cell: ({ id, attributes: { message } }) => (
              <Link to="/$organization/workspaces/$workspace/runs/$run" params={{ ...params, run: id }}>
                {message || id}
              </Link>
            ),
          },
          { id: 'state', head: texts.state, cell: ({ attributes }) => <RunState status={attributes.status} /> },
          { id: 'by', head: texts.startedBy, className: 'soft', cell: (run) => run.attributes['created-by-name'] },
          {
            id: 'since',
            head: texts.started,
            isNumber: true,
            className: 'soft',
            cell: (run) => <Ago time={run.attributes['created-at']} />,
          },
        ]}
      />
    </Section>
  );
}

/** Resources of the current state, by type. */
function Holds({ id, total }: { readonly id: string; readonly total: number }) {
  const input = { path: { workspace_id: id } };
  const state = useQuery({
    ...workspaces.query('GET /workspaces/{workspace_id}/current-state-version', input),
    enabled: total > 0,
  });
  if (total === 0) {
    return (
      <Section title={texts.resources}>
        <p className="soft">{texts.noResourcesYetThe}</p>
      </Section>
    );
  }
  const { serial, 'created-at': created } = state.data?.data.attributes ?? {};
  return (
    <Section
      title={texts.resources}
      note={count(total)}
      end={
        created && (
          <span>
            {texts.state2(serial)} <Ago time={created} inWords /> {texts.ago}
          </span>
        )
      }
    >
      <QueryResult query={state} what={texts.theState}>
        {({ data }) => <ResourceTypes types={resourceTypes(data.attributes.resources)} />}
      </QueryResult>
    </Section>
  );
}

function ResourceTypes({ types }: { readonly types: readonly ResourceType[] }) {
  const most = Math.max(1, ...types.flatMap((one) => (one.isRest ? [] : [one.count])));
  return (
    <Table
      label={texts.resourcesByType}
      flush
      items={types}
      keyOf={({ type }) => type}
      columns={[
        {
          id: 'type',
          head: texts.type,
          isName: true,
          className: styles.type,
          cell: ({ type, isRest }) => (isRest ? <span className="soft">{type}</span> : <code>{type}</code>),
        },
        {
          id: 'share',
          head: texts.share,
          hideHead: true,
          className: styles.share,
          cell: (one) => <Bar part={one.count / most} />,
        },
        { id: 'count', head: texts.number, isNumber: true, className: styles.number, cell: (one) => count(one.count) },
      ]}
    />
  );
}

function Bar({ part }: { readonly part: number }) {
  return (
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.min(part, 1) * 100} height="8" />
    </svg>
  );
}

/** State and time of auto-destroy, with a link to its settings, which explain it. */
function AutoDestroyFact({ answer, organization }: PartProps) {
  const { attributes } = answer.data;
  const { 'auto-destroy-status': status, 'auto-destroy-at': time } = attributes;
  if (status === null) return <>{texts.off}</>;
  const params = { organization, workspace: attributes.name };
  return (
    <>
      <AutoDestroyState status={status} />{' '}
      <Link className="link" to="/$organization/workspaces/$workspace/settings/retention" params={params}>
        {time === null ? texts.details : exact(time)}
      </Link>
    </>
  );
}

function ProjectLink({ of, organization }: { readonly of: Resources['projects']; readonly organization: string }) {
  return (
    <Link className="link" to="/$organization/projects/$project" params={{ organization, project: of.id }}>
      {of.attributes.name}
    </Link>
  );
}

/** Execution mode, with a link to the agent pool or to the setting. */
function Execution({ answer, organization }: PartProps) {
  const { attributes, relationships } = answer.data;
  const mode = attributes['execution-mode'];
  const pool = relationships['agent-pool']?.data?.id;
  if (mode === 'agent' && pool) {
    return (
      <Link className="link" to="/$organization/agents/$pool" params={{ organization, pool }}>
        {mode}
      </Link>
    );
  }
  if (!attributes.permissions['can-update']) return mode;
  const params = { organization, workspace: attributes.name };
  return (
    <Link className="link" to="/$organization/workspaces/$workspace/settings" params={params}>
      {mode}
    </Link>
  );
}

function Repository({ of }: { readonly of: NonNullable<WorkspaceAnswer['data']['attributes']['vcs-repo']> }) {
  const name = of['display-identifier'] || of.identifier;
  const url = of['repository-http-url'];
  if (!url) return <code>{name}</code>;
  return (
    <a className="link" href={url} target="_blank" rel="noreferrer">
      <code>{name}</code>
    </a>
  );
}

function WorkspaceFacts({ answer, organization }: PartProps) {
  const { id, attributes, relationships } = answer.data;
  const project = related(answer, relationships.project?.data, 'projects');
  const repository = attributes['vcs-repo'];
  const words = permissionsInWords(attributes.permissions);
  return (
    <>
      <section>
        <h2>{texts.details}</h2>
        <Facts
          of={[
            [texts.id, <Copyable key="id" text={id} what={texts.id2} />],
            [texts.project, project && <ProjectLink key="project" of={project} organization={organization} />],
            [texts.execution, <Execution key="execution" answer={answer} organization={organization} />],
            [texts.engine, engineWords(attributes.engine, undefined, attributes['engine-version'])],
            [texts.autoApply, attributes['auto-apply'] ? 'on' : 'off'],
            [texts.autoDestroy, <AutoDestroyFact key="auto-destroy" answer={answer} organization={organization} />],
            [
              texts.workingDirectory,
              attributes['working-directory'] && <code key="directory">{attributes['working-directory']}</code>,
            ],
            [texts.repository, repository && <Repository key="repository" of={repository} />],
            [texts.created, day(attributes['created-at'])],
            [texts.createdWith, sourceOf(attributes)],
            [texts.updated, <Changed key="changed" time={attributes['latest-change-at']} />],
          ]}
        />
      </section>
      {attributes['tag-names'].length > 0 && (
        <section>
          <h2>{texts.tags}</h2>
          <p className={styles.may}>
            <Tags names={attributes['tag-names']} />
          </p>
        </section>
      )}
      <section>
        <h2>{texts.yourPermissions}</h2>
        <p className={`${styles.may} soft`}>
          {words.may || texts.seeTheWorkspace}. {words.mayNot && texts.noPermissionTo(words.mayNot)}
        </p>
      </section>
    </>
  );
}

/** Returns the tool that created the workspace, as it named itself. */
function sourceOf({ 'source-name': name, 'source-url': url }: WorkspaceAnswer['data']['attributes']) {
  if (!url) return name;
  return (
    <a key="source" className="link" href={url} target="_blank" rel="noreferrer">
      {name || url}
    </a>
  );
}

function Changed({ time }: { readonly time: string }) {
  return (
    <>
      <Ago time={time} inWords /> {texts.ago}
    </>
  );
}
