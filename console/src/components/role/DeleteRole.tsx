import { Danger } from '../destroy/Danger.tsx';
import { Section } from '../section/Section.tsx';
import * as texts from './texts.ts';

interface DeleteRoleProps {
  readonly role: string;
  readonly remove: () => Promise<unknown>;
  /** Called after the deletion; leaves the role's page. */
  readonly onGone: () => Promise<void>;
}

/** Deletes a role after the user has typed its name. */
export function DeleteRole({ role, remove, onGone }: DeleteRoleProps) {
  return (
    <Section title={texts.deletion}>
      <p>
        <Danger
          button={texts.deleteTheRole}
          title={texts.deleteTheRole2(role)}
          action={texts.deleteText}
          typed={{
            text: role,
            label: texts.nameOfTheRole,
            off: texts.typeTheNameToConfirm,
            help: texts.typeToConfirm(role),
          }}
          run={remove}
          done={texts.deleted(role)}
          onDone={onGone}
        >
          <p>{texts.clientsCanNoLonger}</p>
        </Danger>
      </p>
    </Section>
  );
}
