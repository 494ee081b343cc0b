import type { ComponentType } from 'react';
import type { Resources } from '../../api/client.ts';
import type { Request } from '../../api/request.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace } from '../../shell/workspace.ts';

export interface PartProps {
  readonly organization: string;
  readonly workspace: Resources['workspaces'];
}

export type Permission = keyof Resources['workspaces']['attributes']['permissions'];

interface PartOptions {
  /** Undefined for the first one, which has the address of all of them. */
  readonly label?: string;
  /** What fills it, or changes what it shows. @param id of the workspace */
  readonly request: (id: string) => Request;
  readonly command?: (id: string) => string;
  /** Without it there is nothing to see, and nothing is asked. */
  readonly needs?: Permission;
}

/** A part of the settings: where it is, its request, and what it shows once the workspace is known. */
export function partOf(Shows: ComponentType<PartProps>, { label, request, command, needs }: PartOptions) {
  return function Part() {
    const { organization, workspace, query } = useWorkspace();
    const to = `/${organization}/workspaces/${workspace}`;
    const id = query.data?.data.id ?? '';
    usePlace([
      { label: organization, to: `/${organization}/workspaces` },
      { label: workspace, to },
      ...(label === undefined ? [{ label: 'Settings' }] : [{ label: 'Settings', to: `${to}/settings` }, { label }]),
    ]);
    usePathLine({ request: request(id), command: command?.(id) });
    const answer = query.data;
    if (!answer) return null;
    if (needs && !answer.data.attributes.permissions[needs]) {
      return (
        <p>
          This is not for you: it takes <code>{needs}</code>. Who administers the workspace can give it.
        </p>
      );
    }
    return <Shows key={id} organization={organization} workspace={answer.data} />;
  };
}
