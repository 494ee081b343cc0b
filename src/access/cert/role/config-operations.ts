import { answersData, answersWarnings } from '../../operation/answer.ts';
import { DONE, type Operation } from '../../operation/operation.ts';
import { CertConfigView, CONFIG_FIELDS } from '../settings/cert-config.ts';
import type { RoleService } from './role-service.ts';

/** What holds for every role, for administrators. */
export function configOperations(roles: RoleService): Operation[] {
  return [
    {
      path: 'config',
      verb: 'read',
      id: 'cert-read-configuration',
      summary: 'Read what holds for every role',
      answers: answersData(CertConfigView),
      async handle() {
        return { data: { ...(await roles.readConfig()) } };
      },
    },
    {
      path: 'config',
      verb: 'update',
      id: 'cert-configure',
      summary: 'Set what holds for every role',
      answers: answersWarnings(),
      fields: CONFIG_FIELDS,
      async handle({ data }) {
        await roles.writeConfig(data);
        return DONE;
      },
    },
  ];
}
