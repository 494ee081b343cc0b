import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { PolicyNames } from '../../components/policy-names/PolicyNames.tsx';
import { Section, Split } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { exact } from '../../format/time.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { Disabled } from './EntitiesPage.tsx';
import { PoliciesForm } from './PoliciesForm.tsx';

const READ = 'GET /identity/entity/id/{id}';
const WRITE = 'POST /identity/entity/id/{id}';
const EVERY_MS = 5_000;
const route = getRouteApi('/signed-in/~access/identities/entity/$id');

type Entity = Schemas['Entity'];

/** Somebody or something that logs in: what it is called where, what it may do, and whether it may come in at all. */
export function EntityPage() {
  const { id } = route.useParams();
  const input = { path: { id } };
  const path = `identity/entity/id/${id}`;
  const entity = useQuery({ ...access.query(READ, input), refetchInterval: EVERY_MS });
  usePlace([
    { label: 'Access' },
    { label: 'Identities', to: '/~access/identities' },
    { label: entity.data?.data.name ?? id },
  ]);
  usePathLine({ request: access.request(READ, input), command: `lockkeeper read ${path}` });
  const may = useMay([path]);
  const mayWrite = may(path, 'update');
  return (
    <Answered query={entity} what={`Entity ${id}`} missing={<Missing capability="read" path={path} />} isPage>
      {({ data }) => (
        <>
          <PageHead
            title={data.name}
            beside={data.disabled ? <Disabled /> : <span className="soft">entity</span>}
            actions={
              <>
                {mayWrite && <Switch entity={data} />}
                {may(path, 'delete') && <Remove entity={data} />}
              </>
            }
          />
          {data.disabled && (
            <Banner is="bad" icon="gate-shut">
              It cannot log in, and its tokens are refused until it is enabled again.
            </Banner>
          )}
          <Split aside={<About entity={data} />}>
            <Section title="Logs in as" note="what the mounts call it">
              <Aliases aliases={data.aliases} />
            </Section>
            <Section title="Policies" note="beside those of its tokens">
              {mayWrite ? (
                <PoliciesForm
                  key={data.policies.join()}
                  policies={data.policies}
                  save={(policies) => access.send(WRITE, { path: { id }, body: { policies } })}
                />
              ) : (
                <PolicyNames names={data.policies} />
              )}
            </Section>
          </Split>
        </>
      )}
    </Answered>
  );
}

function About({ entity }: { readonly entity: Entity }) {
  const groups = entity.direct_group_ids;
  return (
    <>
      <h2>Entity</h2>
      <Facts
        of={[
          ['Id', <Copyable key="id" text={entity.id} what="id" />],
          ['Made', exact(entity.creation_time)],
          ['Changed', exact(entity.last_update_time)],
          ['Merged', entity.merged_entity_ids && `${entity.merged_entity_ids.length} others`],
          [
            'Groups',
            groups.length > 0 &&
              groups.map((group) => (
                <Link key={group} className="link mono" to="/~access/identities/group/$id" params={{ id: group }}>
                  {group}{' '}
                </Link>
              )),
          ],
          ['Inherited', entity.inherited_group_ids.length > 0 && `${entity.inherited_group_ids.length} groups`],
          ...Object.entries(entity.metadata),
        ]}
      />
    </>
  );
}

function Aliases({ aliases }: { readonly aliases: Entity['aliases'] }) {
  if (aliases.length === 0) return <p className="soft">Nothing: no login leads to it.</p>;
  return (
    <Table
      flush
      label="Names at mounts"
      twoLines
      items={aliases}
      keyOf={({ id }) => id}
      columns={[
        { id: 'name', head: 'Name', isName: true, cell: ({ name }) => name },
        { id: 'mount', head: 'Mount', cell: ({ mount_path: path }) => <code>{path}</code> },
        { id: 'made', head: 'Made', cell: ({ creation_time: time }) => exact(time) },
      ]}
    />
  );
}

function Switch({ entity: { id, name, disabled } }: { readonly entity: Entity }) {
  const [asks, setAsks] = useState(false);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () => access.send(WRITE, { path: { id }, body: { disabled: !disabled } }),
    onSuccess: async () => {
      announce(disabled ? 'Enabled' : 'Disabled');
      setAsks(false);
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  if (disabled) return <Button onClick={() => change.mutate()}>{change.isPending ? 'Enabling…' : 'Enable'}</Button>;
  return (
    <>
      <Button look="danger" onClick={() => setAsks(true)}>
        Disable…
      </Button>
      {asks && (
        <AskDialog
          title={`Disable ${name}`}
          action="Disable"
          destroys
          onAction={() => change.mutate()}
          onClose={() => setAsks(false)}
          busy={change.isPending}
          fault={change.error}
        >
          <p>It cannot log in from then on, and its tokens are refused, until it is enabled again.</p>
        </AskDialog>
      )}
    </>
  );
}

function Remove({ entity: { id, name } }: { readonly entity: Entity }) {
  const [asks, setAsks] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => access.send('DELETE /identity/entity/id/{id}', { path: { id } }),
    onSuccess: async () => {
      announce(`${name} is deleted`);
      await navigate({ to: '/~access/identities' });
      await queries.invalidateQueries({ queryKey: access.key('GET /identity/entity/id/') });
    },
  });
  return (
    <>
      <Button look="danger" onClick={() => setAsks(true)}>
        Delete…
      </Button>
      {asks && (
        <AskDialog
          title={`Delete ${name}`}
          action="Delete the entity"
          destroys
          onAction={() => remove.mutate()}
          onClose={() => setAsks(false)}
          busy={remove.isPending}
          fault={remove.error}
        >
          <p>
            All its tokens end with it, and what came from them. The next login under one of its names makes a new one.
          </p>
        </AskDialog>
      )}
    </>
  );
}
