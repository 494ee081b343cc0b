import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Field } from '../../components/form/Field.tsx';
import { Empty, NotAllowed } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Table } from '../../components/table/Table.tsx';
import { kindOf, Value } from '../../components/variable/Value.tsx';
import { VariableDialog, type VariableInput } from '../../components/variable/VariableDialog.tsx';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace } from '../../shell/workspace.ts';
import { type Row, rowsOf, type Variable } from './rows.ts';
import * as texts from './texts.ts';
import styles from './variables.module.css';

const EFFECTIVE = 'GET /workspaces/{workspace_id}/all-vars';
const SETS = { 'page[size]': '100' };
const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/variables');

/** Variables that runs of a workspace get: its own and those of variable sets, with the overridden ones marked. */
export function VariablesPage() {
  const { organization, workspace, query } = useWorkspace();
  const id = query.data?.data.id ?? '';
  const may = query.data?.data.attributes.permissions;
  const { name = '' } = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/workspaces/$workspace/variables' });
  const [open, setOpen] = useState<Variable | 'new' | undefined>();
  const path = { workspace_id: id };
  const enabled = may?.['can-read-variable'] === true;
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: texts.variables },
  ]);
  const request = workspaces.request(EFFECTIVE, { path });
  usePathLine({ request, command: `lockkeeper api GET '${request.address.replace('/api/v2/', '')}'` });
  const own = useQuery({ ...workspaces.query('GET /workspaces/{workspace_id}/vars', { path }), enabled });
  const effective = useQuery({ ...workspaces.query(EFFECTIVE, { path }), enabled });
  const sets = useQuery({
    ...workspaces.query('GET /workspaces/{workspace_id}/varsets', { path, query: SETS }),
    enabled,
  });
  if (may && !enabled) {
    const error = new ApiError(403, texts.youHaveNoPermission, '');
    return <NotAllowed what={texts.theVariables} error={error} missing={<code>can-read-variable</code>} />;
  }
  return (
    <QueryResult query={effective} what={texts.theVariables} missing={<code>can-read-variable</code>}>
      {({ data }) => {
        const rows = rowsOf(own.data?.data ?? [], data, sets.data?.data ?? []);
        const shown = rows.filter(({ variable }) => variable.attributes.key.toLowerCase().includes(name.toLowerCase()));
        const mayChange = may?.['can-update-variable'] === true;
        return (
          <>
            <div className={styles.bar}>
              <Field
                label={texts.filterByName}
                type="search"
                value={name}
                onText={(next) => void navigate({ search: { name: next }, replace: true })}
              />
              {mayChange && <Button onClick={() => setOpen('new')}>{texts.newVariable}</Button>}
            </div>
            {rows.length === 0 ? (
              <Empty title={texts.noVariablesYet} command={`lockkeeper api POST workspaces/${id}/vars`}>
                {texts.variablesGiveRunsValues}
              </Empty>
            ) : (
              <Variables rows={shown} mayChange={mayChange} workspace={id} onOpen={setOpen} />
            )}
            {open && (
              <VariableDialog
                {...(open !== 'new' && { variable: open })}
                save={(attributes) => save(id, open, attributes)}
                onClose={() => setOpen(undefined)}
              />
            )}
          </>
        );
      }}
    </QueryResult>
  );
}

interface VariablesProps {
  readonly rows: readonly Row[];
  readonly mayChange: boolean;
  readonly workspace: string;
  readonly onOpen: (variable: Variable) => void;
}

function Variables({ rows, mayChange, workspace, onOpen }: VariablesProps) {
  return (
    <Table
      label={texts.variables}
      items={rows}
      keyOf={({ variable }) => variable.id}
      twoLines
      columns={[
        {
          id: 'key',
          head: texts.name,
          isName: true,
          cell: ({ variable: { attributes } }) => <code className={styles.key}>{attributes.key}</code>,
        },
        { id: 'value', head: texts.value, className: styles.value, cell: ({ variable }) => <Value of={variable} /> },
        {
          id: 'kind',
          head: texts.category,
          className: 'soft',
          cell: ({ variable }) => kindOf(variable),
        },
        {
          id: 'from',
          head: texts.source,
          cell: ({ isOwn, set, hiddenBy }) => (
            <>
              {isOwn ? texts.thisWorkspace : texts.set(set ?? texts.ofTheOrganization)}
              {hiddenBy && <span className={styles.hidden}>{texts.overriddenByTheVariable(hiddenBy)}</span>}
            </>
          ),
        },
        {
          id: 'do',
          head: texts.actions,
          hideHead: true,
          isNumber: true,
          cell: ({ variable, isOwn }) =>
            isOwn &&
            mayChange && (
              <span className={styles.does}>
                <Button
                  look="small"
                  aria-label={texts.change(variable.attributes.key)}
                  onClick={() => onOpen(variable)}
                >
                  {texts.change2}
                </Button>
                <Destroy
                  verb={texts.deleteText}
                  what={texts.variable(variable.attributes.key)}
                  isRow
                  run={() =>
                    workspaces.send('DELETE /workspaces/{workspace_id}/vars/{variable_id}', {
                      path: { workspace_id: workspace, variable_id: variable.id },
                    })
                  }
                >
                  <p>{texts.runsThatStartFrom}</p>
                </Destroy>
              </span>
            ),
        },
      ]}
    />
  );
}

function save(workspace: string, variable: Variable | 'new', attributes: VariableInput): Promise<unknown> {
  const body = { data: { type: 'vars', attributes } } as const;
  const path = { workspace_id: workspace };
  if (variable === 'new') return workspaces.send('POST /workspaces/{workspace_id}/vars', { path, body });
  return workspaces.send('PATCH /workspaces/{workspace_id}/vars/{variable_id}', {
    path: { ...path, variable_id: variable.id },
    body,
  });
}
