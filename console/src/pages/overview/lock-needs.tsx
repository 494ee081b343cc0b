import { workspaces } from '../../api/client.ts';
import { holderOf } from '../../components/lock/holder.ts';
import { isOld, type Need } from './need.ts';
import { MOST } from './run-needs.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/workspaces';

export const locksQuery = (organization: string) =>
  workspaces.query(LIST, {
    path: { organization_name: organization },
    query: { 'filter[locked]': 'true', include: 'locked_by', sort: 'latest-change-at', 'page[size]': MOST },
  });

type Answer = Awaited<ReturnType<ReturnType<typeof locksQuery>['queryFn']>>;

/** Workspaces that have been locked for long. */
export function lockNeeds(organization: string, answer: Answer, now: number): Need[] {
  return answer.data.flatMap((workspace) => {
    const { name, 'locked-reason': reason, 'locked-at': lockedAt } = workspace.attributes;
    if (!isOld(lockedAt, now)) return [];
    return [
      {
        key: `lock ${workspace.id}`,
        group: 'locked',
        icon: 'gate-shut',
        is: 'locked',
        name,
        organization,
        say: (
          <>
            {texts.byHolder(holderOf(workspace, answer))}
            {reason ? <>: “{reason}”</> : texts.withoutAReason}
          </>
        ),
        time: lockedAt,
        to: { to: '/$organization/workspaces/$workspace', params: { organization, workspace: name } },
        action: texts.showLock,
      } satisfies Need,
    ];
  });
}
