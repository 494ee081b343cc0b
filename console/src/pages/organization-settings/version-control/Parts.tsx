import { Tabs } from '../../../components/tabs/Tabs.tsx';
import * as texts from './texts.ts';

/** Navigation between the parts of version control. */
export function Parts({ organization }: { readonly organization: string }) {
  const params = { organization };
  return (
    <Tabs
      label={texts.partsOfVersionControl}
      tabs={[
        { label: texts.connections, to: '/$organization/settings/version-control', params },
        { label: texts.events, to: '/$organization/settings/version-control/events', params },
        { label: texts.pullRequests, to: '/$organization/settings/version-control/pull-requests', params },
      ]}
    />
  );
}
