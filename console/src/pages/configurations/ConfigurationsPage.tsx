import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { bytes } from '../../format/number.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace, type WorkspaceAnswer } from '../../shell/workspace.ts';
import styles from './configurations.module.css';
import { kindOf, signOf } from './kinds.ts';
import * as texts from './texts.ts';
import { UploadDialog } from './UploadDialog.tsx';

const LIST = 'GET /workspaces/{workspace_id}/configuration-versions';
const RUNS = 'GET /workspaces/{workspace_id}/runs';
const SIZE = 20;
const EVERY_MS = 10_000;
const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/configurations');

type Configuration = Resources['configuration-versions'];

/** Configuration versions of a workspace: the archives that its runs use. */
export function ConfigurationsPage() {
  const { organization, workspace, query } = useWorkspace();
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: texts.configurations },
  ]);
  return query.data ? <Configurations answer={query.data} organization={organization} /> : null;
}

interface ConfigurationsProps {
  readonly answer: WorkspaceAnswer;
  readonly organization: string;
}

function Configurations({ answer, organization }: ConfigurationsProps) {
  const [uploads, setUploads] = useState(false);
  const { id, attributes, relationships } = answer.data;
  const page = Math.max(1, Number.parseInt(route.useSearch().page ?? '1', 10) || 1);
  const navigate = useNavigate({ from: '/$organization/workspaces/$workspace/configurations' });
  const path = { workspace_id: id };
  const input = { path, query: { 'page[number]': String(page), 'page[size]': String(SIZE) } };
  const request = workspaces.request(LIST, input);
  usePathLine({ request, command: `lockkeeper api GET '${request.address.replace('/api/v2/', '')}'` });
  const list = useQuery({
    ...workspaces.query(LIST, input),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  const runs = useQuery(workspaces.query(RUNS, { path, query: { 'page[size]': '100' } }));
  const current = relationships['current-configuration-version']?.data?.id;
  const columns = columnsOf(organization, attributes.name, current, runs.data?.data ?? []);
  const upload = attributes.permissions['can-queue-run'] && (
    <p className={styles.upload}>
      <Button onClick={() => setUploads(true)}>{texts.uploadAConfiguration}</Button>
    </p>
  );
  return (
    <>
      <QueryResult query={list} what={texts.theConfigurations} missing={<code>can-read-run</code>}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty title={texts.noConfigurationsYet} action={upload} command="terraform plan    # with a cloud block">
              {texts.aRunPlansAnd}
            </Empty>
          ) : (
            <>
              {upload}
              <Table
                label={texts.configurationsOfNewestFirst(attributes.name)}
                className={styles.list ?? ''}
                columns={columns}
                items={data}
                keyOf={(one) => one.id}
              />
              <Pager
                page={page}
                size={SIZE}
                total={meta.pagination['total-count'] ?? data.length}
                onPage={(next) => void navigate({ search: next === 1 ? {} : { page: String(next) } })}
              />
            </>
          )
        }
      </QueryResult>
      {uploads && <UploadDialog workspaceId={id} name={attributes.name} onClose={() => setUploads(false)} />}
    </>
  );
}

function columnsOf(
  organization: string,
  workspace: string,
  current: string | undefined,
  runs: readonly Resources['runs'][],
): readonly Column<Configuration>[] {
  const runOf = (id: string) =>
    runs.find(({ relationships }) => relationships['configuration-version']?.data?.id === id)?.id;
  return [
    { id: 'state', head: texts.state, className: styles.state, cell: ({ attributes }) => <Status of={attributes} /> },
    {
      id: 'id',
      head: texts.configuration,
      isName: true,
      className: styles.id,
      cell: ({ id }) => (
        <>
          <code>{id}</code>
          {id === current && <span className="soft"> {texts.current}</span>}
        </>
      ),
    },
    {
      id: 'kind',
      head: texts.purpose,
      className: `${styles.kind} soft`,
      cell: ({ attributes }) => kindOf(attributes),
    },
    {
      id: 'run',
      head: texts.run,
      className: styles.run,
      cell: ({ id }) => {
        const run = runOf(id);
        return (
          run && (
            <Link
              className="link mono"
              to="/$organization/workspaces/$workspace/runs/$run"
              params={{ organization, workspace, run }}
            >
              {run}
            </Link>
          )
        );
      },
    },
    {
      id: 'size',
      head: texts.size,
      isNumber: true,
      className: `${styles.size} soft`,
      cell: ({ attributes }) => attributes.size > 0 && bytes(attributes.size),
    },
    {
      id: 'when',
      head: texts.created,
      isNumber: true,
      className: `${styles.when} soft`,
      cell: ({ attributes }) => <Ago time={attributes['created-at']} />,
    },
    {
      id: 'download',
      head: texts.download,
      hideHead: true,
      className: styles.download,
      cell: ({ id, attributes }) =>
        attributes.status === 'uploaded' && (
          <a
            className={buttonClass('small')}
            href={`/api/v2/configuration-versions/${id}/download`}
            download={`${id}.tar.gz`}
            aria-label={texts.download2(id)}
            title={texts.download}
          >
            <Icon name="download" />
          </a>
        ),
    },
  ];
}

function Status({ of: { status, 'error-message': message } }: { readonly of: Configuration['attributes'] }) {
  const { icon, is } = signOf(status);
  return (
    <>
      <State icon={icon} is={is}>
        {status}
      </State>
      {message && <span className="soft"> {message}</span>}
    </>
  );
}
