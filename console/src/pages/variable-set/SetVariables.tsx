import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { kindOf, Value } from '../../components/variable/Value.tsx';
import { VariableDialog, type VariableInput } from '../../components/variable/VariableDialog.tsx';
import * as texts from './texts.ts';
import styles from './variable-set.module.css';

const LIST = 'GET /varsets/{varset_id}/relationships/vars';
const SIZE = 100;
const route = getRouteApi('/signed-in/$organization/variable-sets/$set');

type Variable = Resources['vars'];

/** Variables of a set. */
export function SetVariables({ set, mayChange }: { readonly set: string; readonly mayChange: boolean }) {
  const page = Math.max(1, Number.parseInt(route.useSearch().page ?? '1', 10) || 1);
  const navigate = useNavigate({ from: '/$organization/variable-sets/$set' });
  const [open, setOpen] = useState<Variable | 'new' | undefined>();
  const query = { 'page[number]': String(page), 'page[size]': String(SIZE) };
  const list = useQuery(workspaces.query(LIST, { path: { varset_id: set }, query }));
  const total = list.data?.meta.pagination['total-count'] ?? 0;
  return (
    <Section
      title={texts.variables}
      end={
        mayChange && (
          <Button look="small" onClick={() => setOpen('new')}>
            {texts.newVariable}
          </Button>
        )
      }
    >
      <QueryResult query={list} what={texts.theVariablesOfTheSet}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noVariablesYetAdd}</p>
          ) : (
            <>
              <Table
                label={texts.variablesOfTheSet}
                flush
                twoLines
                items={data}
                keyOf={({ id }) => id}
                columns={[
                  {
                    id: 'key',
                    head: texts.name,
                    isName: true,
                    cell: ({ attributes }) => <code className={styles.key}>{attributes.key}</code>,
                  },
                  { id: 'value', head: texts.value, cell: (variable) => <Value of={variable} /> },
                  { id: 'kind', head: texts.category, className: 'soft', cell: kindOf },
                  {
                    id: 'description',
                    head: texts.description,
                    className: 'soft',
                    cell: ({ attributes }) => attributes.description,
                  },
                  {
                    id: 'do',
                    head: texts.actions,
                    hideHead: true,
                    isNumber: true,
                    cell: (variable) =>
                      mayChange && <Actions set={set} variable={variable} onChange={() => setOpen(variable)} />,
                  },
                ]}
              />
              <Pager
                page={page}
                size={SIZE}
                total={total}
                onPage={(next) => void navigate({ search: { page: String(next) } })}
              />
            </>
          )
        }
      </QueryResult>
      {open && (
        <VariableDialog
          {...(open !== 'new' && { variable: open })}
          save={(attributes) => save(set, open, attributes)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Section>
  );
}

interface ActionsProps {
  readonly set: string;
  readonly variable: Variable;
  readonly onChange: () => void;
}

function Actions({ set, variable, onChange }: ActionsProps) {
  const { key } = variable.attributes;
  return (
    <span className={styles.does}>
      <Button look="small" aria-label={texts.change(key)} onClick={onChange}>
        {texts.change2}
      </Button>
      <Destroy
        verb={texts.deleteText}
        what={texts.variable(key)}
        isRow
        run={() =>
          workspaces.send('DELETE /varsets/{varset_id}/relationships/vars/{variable_id}', {
            path: { varset_id: set, variable_id: variable.id },
          })
        }
      >
        <p>{texts.runsThatStartFrom}</p>
      </Destroy>
    </span>
  );
}

function save(set: string, variable: Variable | 'new', attributes: VariableInput): Promise<unknown> {
  const body = { data: { type: 'vars', attributes } } as const;
  const path = { varset_id: set };
  if (variable === 'new') return workspaces.send('POST /varsets/{varset_id}/relationships/vars', { path, body });
  return workspaces.send('PATCH /varsets/{varset_id}/relationships/vars/{variable_id}', {
    path: { ...path, variable_id: variable.id },
    body,
  });
}
