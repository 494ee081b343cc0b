import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import type { WorkspaceAnswer } from '../workspace.ts';
import { StartRun } from './StartRun.tsx';
import * as texts from './texts.ts';

interface StartButtonProps {
  readonly answer: WorkspaceAnswer;
  /** Whether it is the main action of the page. */
  readonly isMain: boolean;
}

/** Button that starts a run; disabled without a configuration. Only for users who may start runs that the server executes. */
export function StartButton({ answer, isMain }: StartButtonProps) {
  const [asks, setAsks] = useState(false);
  const { id, attributes } = answer.data;
  const versions = useQuery(
    workspaces.query('GET /workspaces/{workspace_id}/configuration-versions', {
      path: { workspace_id: id },
      query: { 'page[size]': '20' },
    }),
  );
  const isUploaded = versions.data?.data.some(({ attributes: { status } }) => status === 'uploaded');
  const off = isUploaded === false && attributes['vcs-repo'] === null && texts.uploadAConfigurationFirst;
  useShortcuts(off ? [] : [{ keys: 's', label: texts.startRun2, hint: isMain, run: () => setAsks(true) }]);
  return (
    <>
      {off && isMain && <span className="soft">{off}.</span>}
      <Button look={isMain ? 'primary' : []} off={off} onClick={() => setAsks(true)}>
        {texts.startRun3}
      </Button>
      {asks && <StartRun answer={answer} onClose={() => setAsks(false)} />}
    </>
  );
}
