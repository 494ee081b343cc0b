import { Outlet, useLocation } from '@tanstack/react-router';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { State } from '../../components/state/State.tsx';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { PageHead } from '../../shell/PageHead.tsx';
import { StartButton } from '../../shell/start-run/StartButton.tsx';
import { useWorkspace, type WorkspaceAnswer } from '../../shell/workspace.ts';
import { LockActions } from './LockActions.tsx';
import { WORKSPACE_TABS } from './tabs.ts';
import * as texts from './texts.ts';
import { useCounts } from './use-counts.ts';

/** Frame of all workspace pages: the name, the lock banner and the tabs. */
export function WorkspacePage() {
  const { organization, workspace, query } = useWorkspace();
  return (
    <QueryResult query={query} what={workspace} missing={<code>can-read-settings</code>} isPage>
      {(answer) => <Frame answer={answer} organization={organization} />}
    </QueryResult>
  );
}

function Frame({ answer, organization }: { readonly answer: WorkspaceAnswer; readonly organization: string }) {
  const { attributes } = answer.data;
  const counts = useCounts(answer, organization);
  const { pathname } = useLocation();
  // Other parts have a main action of their own.
  const isMain = pathname.endsWith(`/workspaces/${attributes.name}`) || pathname.endsWith('/runs');
  const mayStart = attributes.permissions['can-queue-run'] && attributes['execution-mode'] !== 'local';
  const params = { organization, workspace: attributes.name };
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
        actions={mayStart && <StartButton answer={answer} isMain={isMain} />}
      />
      <LockActions answer={answer} organization={organization} />
      <Tabs
        label={texts.partsOf(attributes.name)}
        tabs={WORKSPACE_TABS.map((tab) => ({ ...tab, params, count: tab.counts && counts[tab.counts] }))}
      />
      <Outlet />
    </>
  );
}
