import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { type PartProps, partOf } from './part.tsx';
import { Remove } from './Remove.tsx';
import * as texts from './texts.ts';

const EFFECTIVE = 'GET /workspaces/{workspace_id}/effective-tag-bindings';
const OWN = '/workspaces/{workspace_id}/relationships/tag-bindings';
const TAGS = '/workspaces/{workspace_id}/relationships/tags';

type Binding = Resources['effective-tag-bindings'];

/** Tags, and keys with values: those of the workspace and those of its project. */
export const Tags = partOf(Shows, {
  label: texts.tags,
  request: (id) => workspaces.request(EFFECTIVE, { path: { workspace_id: id } }),
  command: (id) => `lockkeeper api GET workspaces/${id}/effective-tag-bindings`,
});

function Shows({ organization, workspace: { id, attributes } }: PartProps) {
  const [adding, setAdding] = useState<'tag' | 'key' | undefined>();
  const may = attributes.permissions;
  const path = { workspace_id: id };
  const bindings = useQuery(workspaces.query(EFFECTIVE, { path }));
  return (
    <>
      <Section
        title={texts.tags}
        end={
          may['can-manage-tags'] && (
            <Button look="small" onClick={() => setAdding('tag')}>
              {texts.addTag}
            </Button>
          )
        }
      >
        {attributes['tag-names'].length === 0 ? (
          <p className="soft">{texts.noTagsYetAdd}</p>
        ) : (
          <Table
            label={texts.tagsOfTheWorkspace}
            flush
            twoLines
            items={attributes['tag-names']}
            keyOf={(name) => name}
            columns={[
              {
                id: 'name',
                head: texts.tag,
                isName: true,
                cell: (name) => (
                  <Link to="/$organization/workspaces" params={{ organization }} search={{ tags: name }}>
                    <code>{name}</code>
                  </Link>
                ),
              },
              {
                id: 'do',
                head: texts.actions,
                hideHead: true,
                isNumber: true,
                cell: (name) =>
                  may['can-update'] && (
                    <Remove
                      name={`tag ${name}`}
                      run={() =>
                        workspaces.send(`DELETE ${TAGS}`, {
                          path,
                          body: { data: [{ type: 'tags', attributes: { name } }] },
                        })
                      }
                    />
                  ),
              },
            ]}
          />
        )}
      </Section>
      <Section
        title={texts.keysAndValues}
        end={
          may['can-manage-tags'] && (
            <Button look="small" onClick={() => setAdding('key')}>
              {texts.setKey}
            </Button>
          )
        }
      >
        <QueryResult query={bindings} what={texts.keysAndValues}>
          {({ data }) => <Bindings workspace={id} bindings={data} mayChange={may['can-manage-tags']} />}
        </QueryResult>
      </Section>
      {adding === 'tag' && <AddTag workspace={id} onClose={() => setAdding(undefined)} />}
      {adding === 'key' && <SetKey workspace={id} onClose={() => setAdding(undefined)} />}
    </>
  );
}

interface BindingsProps {
  readonly workspace: string;
  readonly bindings: readonly Binding[];
  readonly mayChange: boolean;
}

function Bindings({ workspace, bindings, mayChange }: BindingsProps) {
  if (bindings.length === 0) return <p className="soft">{texts.noKeysAndValues}</p>;
  const isOwn = ({ relationships }: Binding) => !relationships?.['inherited-from'].data;
  return (
    <Table
      label={texts.keysAndValuesOf}
      flush
      twoLines
      items={bindings}
      keyOf={({ attributes }) => attributes.key}
      columns={[
        { id: 'key', head: texts.key, isName: true, cell: ({ attributes }) => <code>{attributes.key}</code> },
        {
          id: 'value',
          head: texts.value,
          cell: ({ attributes }) =>
            attributes.value ? <code>{attributes.value}</code> : <span className="soft">{texts.noValue}</span>,
        },
        {
          id: 'from',
          head: texts.source,
          className: 'soft',
          cell: (one) => (isOwn(one) ? texts.thisWorkspace : texts.itsProject),
        },
        {
          id: 'do',
          head: texts.actions,
          hideHead: true,
          isNumber: true,
          cell: (one) =>
            mayChange &&
            isOwn(one) && (
              <Remove name={`key ${one.attributes.key}`} run={() => without(workspace, one.attributes.key)} />
            ),
        },
      ]}
    />
  );
}

/** Removes one key. The API can only replace all keys at once, so this reads them first. */
async function without(workspace: string, key: string): Promise<unknown> {
  const path = { workspace_id: workspace };
  const { data } = await workspaces.send(`GET ${OWN}`, { path });
  const rest = data.filter(({ attributes }) => attributes.key !== key);
  return workspaces.send(`PATCH ${OWN}`, {
    path,
    body: {
      data: rest.map(({ attributes }) => ({
        attributes: { key: attributes.key, value: attributes.value },
      })),
    },
  });
}

interface AddProps {
  readonly workspace: string;
  readonly onClose: () => void;
}

function AddTag({ workspace, onClose }: AddProps) {
  const [name, setName] = useState('');
  const add = useChange(
    () =>
      workspaces.send(`POST ${TAGS}`, {
        path: { workspace_id: workspace },
        body: { data: [{ type: 'tags', attributes: { name } }] },
      }),
    onClose,
  );
  return (
    <AskDialog
      title={texts.addTag2}
      action={texts.addTag2}
      off={name === '' && texts.enterAName}
      busy={add.isPending}
      fault={add.error}
      onAction={() => add.mutate()}
      onClose={onClose}
    >
      <Field
        name="name"
        label={texts.tag}
        value={name}
        onText={setName}
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
    </AskDialog>
  );
}

function SetKey({ workspace, onClose }: AddProps) {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const set = useChange(
    () =>
      workspaces.send(`POST ${OWN}`, {
        path: { workspace_id: workspace },
        body: { data: [{ type: 'tag-bindings', attributes: { key, value } }] },
      }),
    onClose,
  );
  return (
    <AskDialog
      title={texts.setKey2}
      action={texts.setKey2}
      off={key === '' && texts.enterAKey}
      busy={set.isPending}
      fault={set.error}
      onAction={() => set.mutate()}
      onClose={onClose}
    >
      <Field name="key" label={texts.key} value={key} onText={setKey} autoFocus autoComplete="off" spellCheck={false} />
      <Field name="value" label={texts.value} value={value} onText={setValue} autoComplete="off" spellCheck={false} />
    </AskDialog>
  );
}
