import { useNavigate } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { counted } from '../../format/number.ts';
import * as texts from './texts.ts';

interface DeletionProps {
  readonly organization: string;
  readonly workspace: Resources['workspaces'];
}

/** Deletes a workspace: safely if it manages no resources, or by force with permission to do so. */
export function Deletion({ organization, workspace: { id, attributes } }: DeletionProps) {
  const navigate = useNavigate();
  const { name, permissions: may, 'resource-count': resources } = attributes;
  const path = { workspace_id: id };
  const leave = () => navigate({ to: '/$organization/workspaces', params: { organization } });
  const isForced = resources > 0;
  if (isForced && !may['can-force-delete']) {
    return <p>{texts.thisWorkspaceManagesDestroy(counted(resources, texts.resource))}</p>;
  }
  return (
    <>
      <p>
        {isForced ? texts.thisWorkspaceManagesThey(counted(resources, texts.resource)) : texts.thisWorkspaceManagesNo}
      </p>
      <p>
        <Destroy
          verb={texts.deleteText}
          what={texts.workspace(name)}
          name={name}
          run={() =>
            isForced
              ? workspaces.send('DELETE /workspaces/{workspace_id}', { path })
              : workspaces.send('POST /workspaces/{workspace_id}/actions/safe-delete', { path })
          }
          onDone={leave}
        >
          <p>
            {texts.thisAlsoDeletesIts}
            {isForced && <>{texts.andTheStateOf(counted(resources, texts.resource))}</>}
            {texts.anAdministratorCanRestore}
          </p>
        </Destroy>
      </p>
    </>
  );
}
