import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { FieldGroup, Select } from '../../components/form/Field.tsx';
import { Rights, WORKSPACE_STEPS } from '../../components/rights/Rights.tsx';
import { type Access, FEW, FLAGS, LEVELS, OF_PROJECT, type ProjectRights } from './levels.ts';
import * as texts from './texts.ts';

interface AccessDialogProps {
  readonly project: string;
  /** Teams that can get access; only one if access is changed. */
  readonly teams: readonly (readonly [id: string, name: string])[];
  /** The access to change. Undefined for new access. */
  readonly access?: Access;
  readonly onClose: () => void;
}

/** Form for a team's access to a project and its workspaces: a level, or individual permissions. */
export function AccessDialog({ project, teams, access, onClose }: AccessDialogProps) {
  const [team, setTeam] = useState(teams[0]?.[0] ?? '');
  const [level, setLevel] = useState(access?.attributes.access ?? 'read');
  const [rights, setRights] = useState<ProjectRights>(
    access ? { project: access.attributes['project-access'], workspaces: access.attributes['workspace-access'] } : FEW,
  );
  const name = teams.find(([id]) => id === team)?.[1] ?? team;
  const change = useChange(
    (): Promise<unknown> => {
      const custom = { 'project-access': rights.project as never, 'workspace-access': rights.workspaces };
      const attributes = { access: level, ...(level === 'custom' && custom) };
      if (access) {
        return workspaces.send('PATCH /team-projects/{team_project_id}', {
          path: { team_project_id: access.id },
          body: { data: { type: 'team-projects', attributes } },
        });
      }
      const relationships = {
        team: { data: { type: 'teams', id: team } },
        project: { data: { type: 'projects', id: project } },
      } as const;
      return workspaces.send('POST /team-projects', {
        body: { data: { type: 'team-projects', attributes, relationships } },
      });
    },
    () => {
      announce(texts.accessOf(name, level));
      onClose();
    },
  );
  return (
    <AskDialog
      wide={level === 'custom'}
      title={access ? texts.accessOf2(name) : texts.grantAccessToATeam}
      action={access ? texts.save : texts.grantAccess}
      busy={change.isPending}
      fault={change.error}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      {!access && <Select label={texts.team} value={team} options={teams} onText={setTeam} />}
      <Select
        name="access"
        label={texts.access}
        value={level}
        options={LEVELS}
        onText={(next) => setLevel(next as typeof level)}
      />
      {level === 'custom' && <RightsFields rights={rights} onChange={setRights} />}
    </AskDialog>
  );
}

interface RightsFieldsProps {
  readonly rights: ProjectRights;
  readonly onChange: (rights: ProjectRights) => void;
}

function RightsFields({ rights, onChange }: RightsFieldsProps) {
  const { project, workspaces: inIt } = rights;
  return (
    <>
      <FieldGroup label={texts.permissionsOnTheProject}>
        <Rights
          steps={OF_PROJECT}
          rights={project}
          onRight={(key, value) => onChange({ ...rights, project: { ...project, [key]: value } })}
        />
      </FieldGroup>
      <FieldGroup label={texts.permissionsOnItsWorkspaces}>
        <Rights
          steps={WORKSPACE_STEPS}
          flags={FLAGS}
          rights={inIt}
          onRight={(key, value) => onChange({ ...rights, workspaces: { ...inIt, [key]: value } })}
        />
      </FieldGroup>
    </>
  );
}
