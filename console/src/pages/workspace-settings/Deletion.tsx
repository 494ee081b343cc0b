import { useNavigate } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { counted } from '../../format/number.ts';

interface DeletionProps {
  readonly organization: string;
  readonly workspace: Resources['workspaces'];
}

/** Its end: where it manages nothing any more, or in spite of what it manages. */
export function Deletion({ organization, workspace: { id, attributes } }: DeletionProps) {
  const navigate = useNavigate();
  const { name, permissions: may, 'resource-count': resources } = attributes;
  const path = { workspace_id: id };
  const leave = () => navigate({ to: '/$organization/workspaces', params: { organization } });
  const isForced = resources > 0;
  if (isForced && !may['can-force-delete']) {
    return (
      <p>
        It manages {counted(resources, 'resource')}: destroy them first. Who may force it, can delete it in spite of
        them.
      </p>
    );
  }
  return (
    <>
      <p>
        {isForced
          ? `It manages ${counted(resources, 'resource')}. They stay where they are, and nothing knows of them any more.`
          : 'It manages nothing. Its states, runs, variables and locks go with it.'}
      </p>
      <p>
        <Destroy
          verb="Delete"
          what={`workspace ${name}`}
          name={name}
          run={() =>
            isForced
              ? workspaces.send('DELETE /workspaces/{workspace_id}', { path })
              : workspaces.send('POST /workspaces/{workspace_id}/actions/safe-delete', { path })
          }
          onDone={leave}
        >
          <p>
            Its states, runs and variables go with it
            {isForced && <>, and what is known of {counted(resources, 'resource')}</>}. Until the installation forgets
            it, an administrator can bring it back.
          </p>
        </Destroy>
      </p>
    </>
  );
}
