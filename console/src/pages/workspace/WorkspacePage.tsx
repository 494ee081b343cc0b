import { Outlet } from '@tanstack/react-router';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { State } from '../../components/state/State.tsx';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { PageHead } from '../../shell/PageHead.tsx';
import { useWorkspace } from '../../shell/workspace.ts';
import { LockActions } from './LockActions.tsx';
import { WORKSPACE_TABS } from './tabs.ts';
import * as texts from './texts.ts';

/** Frame of all workspace pages: the name, the lock banner and the tabs. */
export function WorkspacePage() {
  const { organization, workspace, query } = useWorkspace();
  const params = { organization, workspace };
  return (
    <QueryResult query={query} what={workspace} missing={<code>can-read-settings</code>} isPage>
      {(answer) => {
        const { attributes } = answer.data;
        return (
          <>
            <PageHead
              title={attributes.name}
              lede={attributes.description}
              beside={
                attributes.locked && (
                  <State icon="gate-shut" is="locked">
                    {texts.locked2}
                  </State>
                )
              }
            />
            <LockActions answer={answer} organization={organization} />
            <Tabs label={texts.partsOf(workspace)} tabs={WORKSPACE_TABS.map((tab) => ({ ...tab, params }))} />
            <Outlet />
          </>
        );
      }}
    </QueryResult>
  );
}
