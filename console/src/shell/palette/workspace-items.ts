import { type Resources, workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { holderOf } from '../../components/lock/holder.ts';
import { quoted } from '../../components/path-line/path-line.ts';
import { wordOf } from '../../components/state/run-status.ts';
import * as texts from '../texts.ts';
import type { Item, Leads } from './item.ts';
import { patternOf } from './match.ts';

const LIST = 'GET /organizations/{organization_name}/workspaces';
const MOST = '6';
const HERE = '/$organization/workspaces/$workspace';

export const workspacesQuery = (organization: string, words: readonly string[]) =>
  workspaces.query(LIST, {
    path: { organization_name: organization },
    query: { 'search[wildcard-name]': patternOf(words), include: 'locked_by,current_run', 'page[size]': MOST },
  });

type Answer = Awaited<ReturnType<ReturnType<typeof workspacesQuery>['queryFn']>>;
type Workspace = Resources['workspaces'];

export function workspaceItems(organization: string, answer: Answer): Item[] {
  return answer.data.map((workspace) => {
    const { name } = workspace.attributes;
    const holder = holderOf(workspace, answer);
    const run = related(answer, workspace.relationships['current-run']?.data, 'runs');
    return {
      key: `workspace ${workspace.id}`,
      icon: 'workspaces',
      label: name,
      mid: holder && texts.lockedBy(holder),
      end: run && wordOf(run.attributes.status),
      to: { to: HERE, params: { organization, workspace: name } },
      recent: { kind: 'workspace', names: [organization, name] },
    };
  });
}

/** Actions on a workspace, as links to the pages that offer them. Actions without permission are left out. */
export function actionItems(
  organization: string,
  workspace: Workspace,
  answer: Answer,
  leads: Leads,
  copy: (text: string) => void,
): Item[] {
  const { name, locked, permissions: may } = workspace.attributes;
  const params = { organization, workspace: name };
  const here = { to: HERE, params } as const;
  const command = `lockkeeper workspace show ${quoted(`${organization}/${name}`)}`;
  const held = locked ? texts.heldBy(holderOf(workspace, answer)) : undefined;
  const page = (label: string, icon: Item['icon'], isFor: boolean, ...addresses: string[]): Item[] => {
    const to = leads(addresses, params);
    return isFor && to ? [{ key: `do ${label}`, icon, label, to }] : [];
  };
  return [
    ...page(texts.startARun, 'runs', may['can-queue-run'], `${HERE}/runs/new`, `${HERE}/runs`),
    ...(may['can-lock']
      ? [{ key: 'do lock', icon: 'gate-shut', label: texts.lock, to: here, off: held } as const]
      : []),
    ...(may['can-unlock'] || may['can-force-unlock']
      ? [
          {
            key: 'do unlock',
            icon: 'gate-open',
            label: texts.unlock,
            to: here,
            mid: held,
            off: locked ? undefined : texts.notLocked,
          } as const,
        ]
      : []),
    ...page(texts.stateVersions, 'crl', may['can-read-state-versions'], `${HERE}/states`, `${HERE}/state-versions`),
    ...page(texts.variables, 'vars', may['can-read-variable'], `${HERE}/variables`),
    ...page(texts.lockHistory, 'clock', may['can-read-settings'], `${HERE}/lock-history`),
    { key: 'do copy', icon: 'term', label: texts.copyAsCommand, mid: command, run: () => copy(command) },
  ];
}
