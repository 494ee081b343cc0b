import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { Button } from '../../components/button/Button.tsx';
import { Chips } from '../../components/chip/Chip.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Secret } from '../../components/secret/Secret.tsx';
import { State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { count } from '../../format/number.ts';
import { day, exact } from '../../format/time.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { useOrganization } from '../../shell/organization.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { type Invited, LinkButton, type NewLink, useNewLink } from './InvitationLink.tsx';
import { PeopleTabs } from './PeopleTabs.tsx';
import styles from './teams.module.css';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/organization-memberships';
const TEAMS = 'GET /organizations/{organization_name}/teams';
const SIZE = 50;
const route = getRouteApi('/signed-in/$organization/members');

type Membership = Resources['organization-memberships'];
type Included = Parameters<typeof related>[0];

const columnsOf = (
  organization: string,
  answer: Included,
  onLink: (link: NewLink) => void,
): readonly Column<Membership>[] => [
  {
    id: 'who',
    head: texts.member,
    isName: true,
    cell: ({ attributes, relationships }) => {
      const user = related(answer, relationships.user.data, 'users');
      return <bdi>{attributes.status === 'active' && user ? user.attributes.username : attributes.email}</bdi>;
    },
  },
  {
    id: 'status',
    head: texts.status,
    cell: ({ attributes: { status } }) => (
      <State icon={status === 'active' ? 'ok' : 'wait'} is={status === 'active' ? 'good' : 'attention'}>
        {status}
      </State>
    ),
  },
  { id: 'email', head: texts.email, className: 'soft', cell: ({ attributes }) => <bdi>{attributes.email}</bdi> },
  {
    id: 'teams',
    head: texts.teams,
    cell: ({ relationships }) =>
      relationships.teams.data.map((reference, index) => (
        <span key={reference.id}>
          {index > 0 && ', '}
          <Link className="link" to="/$organization/teams/$team" params={{ organization, team: reference.id }}>
            <bdi>{related(answer, reference, 'teams')?.attributes.name ?? reference.id}</bdi>
          </Link>
        </span>
      )),
  },
  {
    id: 'since',
    head: texts.joined,
    isNumber: true,
    className: 'soft',
    cell: ({ attributes }) => day(attributes['created-at']),
  },
  {
    id: 'do',
    head: texts.actions,
    hideHead: true,
    isNumber: true,
    cell: ({ id, attributes: { email, status } }) => (
      <span className={styles.does}>
        {status === 'invited' && <LinkButton id={id} email={email} onLink={onLink} />}
        <Destroy
          verb={status === 'active' ? texts.remove : texts.withdraw}
          what={status === 'active' ? texts.member2(email) : texts.invitationOf(email)}
          {...(status === 'active' && { name: email })}
          isRow
          run={() =>
            workspaces.send('DELETE /organization-memberships/{membership_id}', { path: { membership_id: id } })
          }
        >
          <p>{status === 'active' ? texts.theMemberLeavesEvery : texts.youCanInviteThis}</p>
        </Destroy>
      </span>
    ),
  },
];

/** Lists the members and invited people of an organization. */
export function MembersPage() {
  const { organization } = route.useParams();
  const { page: asked = '1', status = '', q = '' } = route.useSearch();
  const page = Math.max(1, Number.parseInt(asked, 10) || 1);
  const navigate = useNavigate({ from: '/$organization/members' });
  const [isAsking, setAsking] = useState(false);
  const [link, setLink] = useState<NewLink>();
  // The invitation exists also if its link could not be created: the list offers another one.
  const create = useNewLink(setLink);
  const input = {
    path: { organization_name: organization },
    query: {
      include: 'user,teams',
      'page[number]': String(page),
      'page[size]': String(SIZE),
      q,
      ...((status === 'active' || status === 'invited') && { 'filter[status]': status as 'active' }),
    },
  };
  usePlace([{ label: organization, to: `/${organization}/workspaces` }, { label: texts.members }]);
  usePathLine({ request: workspaces.request(LIST, input) });
  const { may } = useOrganization(organization);
  const manages = may?.['can-manage-users'] ?? false;
  const members = useQuery({
    ...workspaces.query(LIST, input),
    enabled: manages,
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  useShortcuts(manages ? [{ keys: 'c', label: texts.invite, hint: true, run: () => setAsking(true) }] : []);
  const total = members.data?.meta.pagination['total-count'] ?? 0;
  return (
    <>
      <PageHead
        title={texts.members}
        beside={members.data && <span className="soft">{count(total)}</span>}
        lede={texts.membersAreUsersOf}
        actions={
          manages && (
            <Button look="primary" onClick={() => setAsking(true)}>
              {texts.inviteMember}
            </Button>
          )
        }
      />
      <PeopleTabs organization={organization} members={manages} />
      {may && !manages && <p>{texts.youHaveNoPermission}</p>}
      {manages && (
        <>
          {create.error && <p role="alert">{create.error.message}</p>}
          {link && (
            <Secret what={texts.linkFor(link.email)} text={link.url} onClose={() => setLink(undefined)}>
              {link.isMailed ? texts.anEmailHasA : texts.sendTheLinkTo} {texts.itWorksOnce(exact(link.end))}
            </Secret>
          )}
          <div className={styles.filters}>
            <Chips label={texts.status}>
              {(['', texts.active, texts.invited] as const).map((one) => (
                <Button
                  key={one}
                  look="small"
                  aria-pressed={status === one}
                  onClick={() => void navigate({ search: one ? { status: one } : {} })}
                >
                  {one || texts.all}
                </Button>
              ))}
            </Chips>
          </div>
          <QueryResult query={members} what={texts.membersOf(organization)}>
            {(answer) => (
              <>
                <Table
                  label={texts.membersOf(organization)}
                  columns={columnsOf(organization, answer as Included, setLink)}
                  items={answer.data}
                  keyOf={({ id }) => id}
                  twoLines
                />
                <Pager
                  page={page}
                  size={SIZE}
                  total={total}
                  onPage={(next) => void navigate({ search: (before) => ({ ...before, page: String(next) }) })}
                />
              </>
            )}
          </QueryResult>
        </>
      )}
      {isAsking && <Invite organization={organization} onClose={() => setAsking(false)} onInvited={create.mutate} />}
    </>
  );
}

interface InviteProps {
  readonly organization: string;
  readonly onClose: () => void;
  readonly onInvited: (invitation: Invited) => void;
}

function Invite({ organization, onClose, onInvited }: InviteProps) {
  const [email, setEmail] = useState('');
  const [team, setTeam] = useState('');
  const path = { organization_name: organization };
  const teams = useQuery(workspaces.query(TEAMS, { path, query: { 'page[size]': '100' } }));
  const may = (one: Resources['teams']) => one.attributes.permissions['can-update-membership'];
  const options = (teams.data?.data ?? []).filter(may).map((one) => [one.id, one.attributes.name] as const);
  const invite = useChange(
    () =>
      workspaces.send('POST /organizations/{organization_name}/organization-memberships', {
        path,
        body: {
          data: {
            type: 'organization-memberships',
            attributes: { email },
            ...(team && { relationships: { teams: { data: [{ id: team }] } } }),
          },
        },
      }),
    ({ data }) => {
      announce(texts.invited2(email));
      onInvited({ id: data.id, email });
      onClose();
    },
  );
  return (
    <AskDialog
      title={texts.inviteAMemberTo(organization)}
      action={texts.invite2}
      busy={invite.isPending}
      fault={invite.error}
      off={email === '' && texts.enterAnEmailAddress}
      onAction={() => invite.mutate()}
      onClose={onClose}
    >
      <Field name="email" label={texts.email} type="email" value={email} onText={setEmail} autoFocus />
      <Select
        name="teams"
        label={texts.team}
        help={texts.withoutATeamThe}
        value={team}
        options={[['', texts.noTeamYet], ...options]}
        onText={setTeam}
      />
    </AskDialog>
  );
}
