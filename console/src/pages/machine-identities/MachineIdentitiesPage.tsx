import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Chips, FilterChip } from '../../components/chip/Chip.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { quoted, usePathLine } from '../../components/path-line/path-line.ts';
import { counted } from '../../format/number.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { sessionQuery } from '../../session/session.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { groupsOf, type Identity, keyOf } from './bridges.ts';
import styles from './chain.module.css';
import { NewIdentity } from './NewIdentity.tsx';
import { RoleChain } from './RoleChain.tsx';
import { TestPart } from './TestPart.tsx';
import * as texts from './texts.ts';
import { useOwners } from './use-owners.ts';
import { useRoles } from './use-roles.ts';
import type { View } from './view.ts';

const LIST = 'GET /machine-identities';
/** Page size. */
const SIZE = 20;
const EVERY_MS = 10_000;
const route = getRouteApi('/signed-in/~access/machine-identities');

/** Machine identities, drawn as chains from the certificate through the role to the workspaces. */
export function MachineIdentitiesPage() {
  const view = route.useSearch();
  const navigate = useNavigate({ from: '/~access/machine-identities' });
  const session = useQuery(sessionQuery).data;
  const has = { access: Boolean(session?.access), workspaces: Boolean(session?.workspaces) };
  const query = {
    'page[size]': `${SIZE}`,
    ...(view.page && { 'page[number]': view.page }),
    ...(view.mount && view.role && { 'filter[mount]': view.mount, 'filter[role]': view.role }),
  };
  const identities = useQuery({
    ...workspaces.query(LIST, { query }),
    enabled: has.workspaces,
    refetchInterval: EVERY_MS,
  });
  const owners = useOwners(has.workspaces);
  const mayAdd = owners.length > 0;
  const show = (change: View) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const test = () => show({ do: 'test' });
  const add = () => show({ do: 'add' });
  usePlace([{ label: texts.access }, { label: texts.machineIdentities }]);
  usePathLine({ request: workspaces.request(LIST, { query }), command: listCommand(view) });
  useShortcuts([
    { keys: 't', label: texts.test, hint: true, run: test },
    ...(mayAdd ? [{ keys: 'n', label: texts.newText, hint: true, run: add }] : []),
  ]);
  return (
    <>
      <PageHead
        title={texts.machineIdentities}
        lede={texts.pageHint}
        actions={
          <>
            <Button onClick={test}>{texts.testACertificate}</Button>
            {mayAdd && (
              <Button look="primary" onClick={add}>
                {texts.addMachineIdentity}
              </Button>
            )}
          </>
        }
      />
      {view.do === 'test' && <TestPart key={`${view.mount} ${view.role}`} has={has} view={view} onShow={show} />}
      {view.role && view.mount && (
        <Chips label={texts.filters}>
          <FilterChip
            name="role"
            value={`${view.role} of auth/${view.mount}`}
            onRemove={() => show({ role: '', mount: '', page: '' })}
          />
        </Chips>
      )}
      {has.workspaces ? (
        <QueryResult query={identities} what={texts.machineIdentities}>
          {({ data, meta }) => (
            <Bridges
              identities={data}
              total={meta.pagination['total-count'] ?? data.length}
              view={view}
              hasAccess={has.access}
              add={mayAdd ? add : undefined}
              onShow={show}
            />
          )}
        </QueryResult>
      ) : (
        session && <OtherHalf />
      )}
      {view.do === 'add' && mayAdd && (
        <NewIdentity
          owners={owners}
          view={view}
          hasAccess={has.access}
          onClose={() => show({ do: undefined } as never)}
          onMade={({ mount, role }, identity) => show({ mount, role, identity, page: '', do: undefined } as never)}
        />
      )}
    </>
  );
}

interface BridgesProps {
  readonly identities: readonly Identity[];
  readonly total: number;
  readonly view: View;
  readonly hasAccess: boolean;
  readonly add: (() => void) | undefined;
  readonly onShow: (change: View) => void;
}

function Bridges({ identities, total, view, hasAccess, add, onShow }: BridgesProps) {
  const groups = groupsOf(identities);
  const roleOf = useRoles(groups, hasAccess);
  if (groups.length === 0) {
    return (
      <Empty
        title={view.role ? texts.noIdentitiesForRole(view.role) : texts.noMachineIdentitiesYet}
        action={
          add && (
            <Button look="primary" onClick={add}>
              {texts.addMachineIdentity}
            </Button>
          )
        }
        command={addCommand(view)}
      >
        {view.role ? texts.tokensOfThisRole : texts.addOneSoThat}
      </Empty>
    );
  }
  return (
    <section aria-label={texts.identities}>
      <p className="sr" role="status">
        {counted(total, texts.machineIdentity, texts.machineIdentities2)}
      </p>
      <div className={styles.heads} aria-hidden="true">
        <span>
          <span>{texts.certificates}</span>
          <span>{texts.roleThatAcceptsThem}</span>
        </span>
        <span>
          <span>{texts.teamOrAgentPool}</span>
          <span>{texts.workspaces}</span>
        </span>
      </div>
      <ul>
        {groups.map((group) => (
          <RoleChain
            key={keyOf(group)}
            group={group}
            known={roleOf(group)}
            open={view.identity}
            onOpen={(identity) => onShow({ identity: identity ?? '' })}
            onTest={() => onShow({ do: 'test', mount: group.mount, role: group.role })}
          />
        ))}
      </ul>
      <Pager page={Number(view.page ?? 1)} size={SIZE} total={total} onPage={(page) => onShow({ page: `${page}` })} />
    </section>
  );
}

function listCommand({ mount, role }: View): string {
  if (!mount || !role) return 'lockkeeper api GET machine-identities';
  const query = `filter[mount]=${encodeURIComponent(mount)}&filter[role]=${encodeURIComponent(role)}`;
  return `lockkeeper api GET ${quoted(`machine-identities?${query}`)}`;
}

function addCommand({ mount = 'cert', role = 'ROLE' }: View): string {
  const data = { type: 'machine-identities', attributes: { mount, role } };
  return `lockkeeper api POST teams/TEAM/machine-identities -d ${quoted(JSON.stringify({ data }))}`;
}

/** Only the workspace API knows machine identities. Offers to sign in to it. */
function OtherHalf() {
  return (
    <Empty
      title={texts.signInToWorkspaces}
      action={
        <Link
          className={buttonClass('primary')}
          to="/~sign-in"
          search={{ side: 'workspaces', to: '/~access/machine-identities' }}
        >
          {texts.signInToWorkspaces2}
        </Link>
      }
    >
      {texts.machineIdentitiesBelongTo}
    </Empty>
  );
}
