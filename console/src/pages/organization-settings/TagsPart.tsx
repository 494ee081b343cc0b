import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Check, Field } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { count, counted } from '../../format/number.ts';
import { usePart } from './part.tsx';
import * as texts from './texts.ts';

const TAGS = 'GET /organizations/{organization_name}/tags';
const KEYS = 'GET /organizations/{organization_name}/reserved-tag-keys';

/** Tags of workspaces, and reserved tag keys. */
export function TagsPart() {
  const { organization, path, may } = usePart(
    texts.tags,
    (name) => workspaces.request(TAGS, { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}/tags`,
  );
  const query = { 'page[size]': '100' };
  const tags = useQuery(workspaces.query(TAGS, { path, query }));
  const keys = useQuery(workspaces.query(KEYS, { path, query }));
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Section title={texts.tags} note={tags.data && count(tags.data.meta.pagination['total-count'] ?? 0)}>
        <QueryResult query={tags} what={texts.tags}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft">{texts.noTagsYetAdd}</p>
            ) : (
              <Table
                label={texts.tags}
                flush
                twoLines
                items={data}
                keyOf={({ id }) => id}
                columns={[
                  {
                    id: 'name',
                    head: texts.tag,
                    isName: true,
                    cell: ({ attributes }) => (
                      <Link to="/$organization/workspaces" params={{ organization }} search={{ tags: attributes.name }}>
                        <code>{attributes.name}</code>
                      </Link>
                    ),
                  },
                  {
                    id: 'used',
                    head: texts.usedBy,
                    className: 'soft',
                    cell: ({ attributes }) => counted(attributes['instance-count'], 'workspace'),
                  },
                  {
                    id: 'do',
                    head: texts.actions,
                    hideHead: true,
                    isNumber: true,
                    cell: ({ id, attributes }) =>
                      may?.['can-manage-tags'] && (
                        <Destroy
                          verb={texts.deleteText}
                          what={texts.tag2(attributes.name)}
                          isRow
                          run={() =>
                            workspaces.send('DELETE /organizations/{organization_name}/tags', {
                              path,
                              body: { data: [{ type: 'tags', id }] },
                            })
                          }
                        >
                          <p>{texts.theTagIsRemovedFrom(counted(attributes['instance-count'], texts.workspace))}</p>
                        </Destroy>
                      ),
                  },
                ]}
              />
            )
          }
        </QueryResult>
      </Section>
      <Section
        title={texts.reservedKeys}
        end={
          may?.['can-update'] && (
            <Button look="small" onClick={() => setAdding(true)}>
              {texts.reserveAKey}
            </Button>
          )
        }
      >
        <p className="soft">{texts.theProjectSetsThe}</p>
        <QueryResult query={keys} what={texts.reservedKeys}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft">{texts.noReservedKeysYet}</p>
            ) : (
              <Table
                label={texts.reservedKeys}
                flush
                twoLines
                items={data}
                keyOf={({ id }) => id}
                columns={[
                  {
                    id: 'key',
                    head: texts.key2,
                    isName: true,
                    cell: ({ attributes }) => <code>{attributes.key}</code>,
                  },
                  {
                    id: 'rule',
                    head: texts.rule,
                    className: 'soft',
                    cell: ({ attributes }) =>
                      attributes['disable-overrides']
                        ? texts.workspacesCannotOverrideIt
                        : texts.workspacesMayOverrideIt,
                  },
                  {
                    id: 'do',
                    head: texts.actions,
                    hideHead: true,
                    isNumber: true,
                    cell: ({ id, attributes }) =>
                      may?.['can-update'] && (
                        <Destroy
                          verb={texts.release}
                          what={texts.key3(attributes.key)}
                          isRow
                          run={() => workspaces.send('DELETE /reserved-tag-keys/{id}', { path: { id } })}
                        >
                          <p>{texts.workspacesCanThenSet}</p>
                        </Destroy>
                      ),
                  },
                ]}
              />
            )
          }
        </QueryResult>
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
      title={texts.reserveAKey2}
      action={texts.reserve}
      busy={reserve.isPending}
      fault={reserve.error}
      off={key === '' && texts.enterAKey}
      onAction={() => reserve.mutate()}
      onClose={onClose}
    >
      <Field name="key" label={texts.key2} value={key} onText={setKey} autoFocus />
      <Check name="disable-overrides" label={texts.workspacesCannotOverrideIt2} checked={isFixed} onCheck={setFixed} />
    </AskDialog>
  );
}
