import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { NotificationList } from '../../components/notifications/NotificationList.tsx';
import type { Notification } from '../../components/notifications/scope.ts';
import { DESTINATIONS } from '../../components/notifications/triggers.ts';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { counted } from '../../format/number.ts';
import { type PartProps, partOf } from './part.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /workspaces/{workspace_id}/notification-configurations';
const INHERITED = 'GET /workspaces/{workspace_id}/inherited-notification-configurations';

/** Notifications of a workspace, and those that it inherits. */
export const Notifications = partOf(Shows, {
  label: texts.notifications,
  request: (id) => workspaces.request(LIST, { path: { workspace_id: id } }),
  command: (id) => `lockkeeper api GET workspaces/${id}/notification-configurations`,
  needs: 'can-update',
});

function Shows({ organization, workspace: { id } }: PartProps) {
  const inherited = useQuery(workspaces.query(INHERITED, { path: { workspace_id: id } }));
  return (
    <>
      <NotificationList scope={{ type: 'workspaces', id, organization }} needs="can-update" />
      <Section title={texts.inheritedNotifications}>
        <QueryResult query={inherited} what={texts.inheritedNotifications}>
          {({ data }) =>
            data.length === 0 ? <p className="soft">{texts.noInheritedNotifications}</p> : <Inherited of={data} />
          }
        </QueryResult>
      </Section>
    </>
  );
}

const SCOPES: Readonly<Record<string, string>> = {
  projects: texts.ofProject,
  teams: texts.ofTeam,
  organizations: texts.ofOrganization,
};

function Inherited({ of: items }: { readonly of: readonly Notification[] }) {
  return (
    <Table
      label={texts.inheritedNotifications}
      flush
      twoLines
      items={items}
      keyOf={(one) => one.id}
      columns={[
        { id: 'name', head: texts.name, isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
        {
          id: 'from',
          head: texts.inheritedFrom,
          cell: ({ relationships }) => SCOPES[relationships.subscribable.data?.type ?? ''],
        },
        {
          id: 'to',
          head: texts.destination,
          className: 'soft',
          cell: ({ attributes }) => DESTINATIONS[attributes['destination-type']],
        },
        {
          id: 'when',
          head: texts.triggers,
          className: 'soft',
          cell: ({ attributes: { enabled, triggers } }) =>
            enabled ? (
              <span title={triggers.join(', ')}>{counted(triggers.length, texts.trigger)}</span>
            ) : (
              texts.disabled
            ),
        },
      ]}
    />
  );
}
