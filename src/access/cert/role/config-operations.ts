import { answersData, answersWarnings } from '../../operation/answer.ts';
import { DONE, type Operation } from '../../operation/operation.ts';
import { CertConfigView, CONFIG_FIELDS } from '../settings/cert-config.ts';
import type { RoleService } from './role-service.ts';

/** Operations on the configuration of the mount, for administrators. */
export function configOperations(roles: RoleService): Operation[] {
  return [
    {
      path: 'config',
      verb: 'read',
      id: 'cert-read-configuration',
      summary: 'Read the configuration that applies to all roles',
      answers: answersData(CertConfigView),
      async handle() {
        return { data: { ...(await roles.readConfig()) } };
      },
    },
    {
      path: 'config',
      verb: 'update',
      id: 'cert-configure',
      summary: 'Write the configuration that applies to all roles',
      answers: answersWarnings(),
      fields: CONFIG_FIELDS,
      async handle({ data }) {
        await roles.writeConfig(data);
        return DONE;
      },
    },
  ];
}
