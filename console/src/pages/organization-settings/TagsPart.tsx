import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Check, Field } from '../../components/form/Field.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { count, counted } from '../../format/number.ts';
import { usePart } from './part.tsx';

const TAGS = 'GET /organizations/{organization_name}/tags';
const KEYS = 'GET /organizations/{organization_name}/reserved-tag-keys';

/** The tags that workspaces have, and the keys that are kept for projects. */
export function TagsPart() {
  const { organization, path, may } = usePart(
    'Tags',
    (name) => workspaces.request(TAGS, { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}/tags`,
  );
  const query = { 'page[size]': '100' };
  const tags = useQuery(workspaces.query(TAGS, { path, query }));
  const keys = useQuery(workspaces.query(KEYS, { path, query }));
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Section title="Tags" note={tags.data && count(tags.data.meta.pagination['total-count'] ?? 0)}>
        <Answered query={tags} what="Tags">
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft">No workspace has any.</p>
            ) : (
              <Table
                label="Tags"
                flush
                twoLines
                items={data}
                keyOf={({ id }) => id}
                columns={[
                  {
                    id: 'name',
                    head: 'Tag',
                    isName: true,
                    cell: ({ attributes }) => (
                      <Link to="/$organization/workspaces" params={{ organization }} search={{ tags: attributes.name }}>
                        <code>{attributes.name}</code>
                      </Link>
                    ),
                  },
                  {
                    id: 'used',
                    head: 'Used by',
                    className: 'soft',
                    cell: ({ attributes }) => counted(attributes['instance-count'], 'workspace'),
                  },
                  {
                    id: 'do',
                    head: 'What can be done',
                    hideHead: true,
                    isNumber: true,
                    cell: ({ id, attributes }) =>
                      may?.['can-manage-tags'] && (
                        <Destroy
                          verb="Delete"
                          what={`tag ${attributes.name}`}
                          isRow
                          run={() =>
                            workspaces.send('DELETE /organizations/{organization_name}/tags', {
                              path,
                              body: { data: [{ type: 'tags', id }] },
                            })
                          }
                        >
                          <p>{counted(attributes['instance-count'], 'workspace')} lose it.</p>
                        </Destroy>
                      ),
                  },
                ]}
              />
            )
          }
        </Answered>
      </Section>
      <Section
        title="Reserved keys"
        end={
          may?.['can-update'] && (
            <Button look="small" onClick={() => setAdding(true)}>
              Reserve a key…
            </Button>
          )
        }
      >
        <p className="soft">Workspaces do not choose the value of a reserved key: the project does.</p>
        <Answered query={keys} what="Reserved keys">
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft">None is reserved.</p>
            ) : (
              <Table
                label="Reserved keys"
                flush
                twoLines
                items={data}
                keyOf={({ id }) => id}
                columns={[
                  { id: 'key', head: 'Key', isName: true, cell: ({ attributes }) => <code>{attributes.key}</code> },
                  {
                    id: 'rule',
                    head: 'Rule',
                    className: 'soft',
                    cell: ({ attributes }) =>
                      attributes['disable-overrides'] ? 'workspaces cannot override it' : 'workspaces may override it',
                  },
                  {
                    id: 'do',
                    head: 'What can be done',
                    hideHead: true,
                    isNumber: true,
                    cell: ({ id, attributes }) =>
                      may?.['can-update'] && (
                        <Destroy
                          verb="Release"
                          what={`key ${attributes.key}`}
                          isRow
                          run={() => workspaces.send('DELETE /reserved-tag-keys/{id}', { path: { id } })}
                        >
                          <p>Workspaces choose their own value for it from then on.</p>
                        </Destroy>
                      ),
                  },
                ]}
              />
            )
          }
        </Answered>
      </Section>
      {isAdding && <Reserve organization={organization} onClose={() => setAdding(false)} />}
    </>
  );
}

function Reserve({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const [key, setKey] = useState('');
  const [isFixed, setFixed] = useState(true);
  const reserve = useChange(
    () =>
      workspaces.send('POST /organizations/{organization_name}/reserved-tag-keys', {
        path: { organization_name: organization },
        body: { data: { type: 'reserved-tag-keys', attributes: { key, 'disable-overrides': isFixed } } },
      }),
    onClose,
  );
  return (
    <AskDialog
      title="Reserve a key"
      action="Reserve"
      busy={reserve.isPending}
      fault={reserve.error}
      off={key === '' && 'It needs a key'}
      onAction={() => reserve.mutate()}
      onClose={onClose}
    >
      <Field name="key" label="Key" value={key} onText={setKey} autoFocus />
      <Check name="disable-overrides" label="Workspaces cannot override it" checked={isFixed} onCheck={setFixed} />
    </AskDialog>
  );
}
