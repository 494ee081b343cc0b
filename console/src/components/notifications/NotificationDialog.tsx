import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { announce } from '../copy/announce.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Check, Field, FieldGroup, Select } from '../form/Field.tsx';
import { DigestFields, type DigestInput, digestInput, digestOf } from './DigestFields.tsx';
import { Recipients } from './Recipients.tsx';
import { create, type Notification, type Scope } from './scope.ts';
import * as texts from './texts.ts';
import { DESTINATIONS, TRIGGERS, type Trigger } from './triggers.ts';

interface NotificationDialogProps {
  readonly scope: Scope;
  /** Undefined for a new notification. */
  readonly notification?: Notification;
  readonly onClose: () => void;
}

const FIRST: readonly Trigger[] = ['run:needs_attention', 'run:completed', 'run:errored'];

/** Form for a notification. The server sends a test message to a URL before it stores an enabled one. */
export function NotificationDialog({ scope, notification, onClose }: NotificationDialogProps) {
  const before = notification?.attributes;
  const [name, setName] = useState(before?.name ?? '');
  const [kind, setKind] = useState<string>(before?.['destination-type'] ?? 'generic');
  const [url, setUrl] = useState(before?.url ?? '');
  const [token, setToken] = useState<string | undefined>();
  const [enabled, setEnabled] = useState(before?.enabled ?? true);
  const [triggers, setTriggers] = useState<ReadonlySet<Trigger>>(new Set(before?.triggers ?? FIRST));
  const [users, setUsers] = useState<ReadonlySet<string>>(
    new Set(notification?.relationships.users.data?.map(({ id }) => id)),
  );
  const [addresses, setAddresses] = useState(before?.['email-addresses'].join('\n') ?? '');
  const [digest, setDigest] = useState<DigestInput | null>(digestInput(before?.digest ?? null));
  const isMail = kind === 'email';
  const save = useChange(
    (): Promise<unknown> => {
      const attributes = {
        name,
        enabled,
        triggers: [...triggers],
        digest: digestOf(digest),
        ...(isMail ? { 'email-addresses': addresses.split(/[\s,]+/).filter(Boolean) } : { url }),
        ...(token !== undefined && kind === 'generic' && { token: token || null }),
      };
      // The server removes all users from a notification whose change does not name them.
      const relationships = isMail && { relationships: { users: { data: [...users].map((id) => ({ id })) } } };
      if (notification) {
        return workspaces.send('PATCH /notification-configurations/{notification_configuration_id}', {
          path: { notification_configuration_id: notification.id },
          body: { data: { type: 'notification-configurations', attributes, ...relationships } },
        });
      }
      return create(scope, {
        data: {
          type: 'notification-configurations',
          attributes: { ...attributes, 'destination-type': kind },
          ...relationships,
        },
      });
    },
    () => {
      announce(texts.saved(name));
      onClose();
    },
  );
  const toggle = (trigger: Trigger, isOn: boolean) =>
    setTriggers((known) => new Set(isOn ? [...known, trigger] : [...known].filter((one) => one !== trigger)));
  const isIncomplete = name === '' || (!isMail && url === '');
  return (
    <AskDialog
      wide
      title={notification ? texts.change(before?.name) : texts.newNotification}
      action={notification ? texts.save : texts.createNotification}
      off={isIncomplete && (isMail ? texts.enterANameAndRecipients : texts.enterANameAnd)}
      busy={save.isPending}
      fault={save.error}
      onAction={() => save.mutate()}
      onClose={onClose}
    >
      <Field name="name" label={texts.name} value={name} onText={setName} autoFocus autoComplete="off" />
      <Select
        name="destination-type"
        label={texts.destination}
        off={notification && texts.theDestinationCannotBe}
        value={kind}
        options={Object.entries(DESTINATIONS)}
        onText={setKind}
      />
      {isMail ? (
        <Recipients
          organization={scope.organization}
          users={users}
          onUsers={setUsers}
          addresses={addresses}
          onAddresses={setAddresses}
        />
      ) : (
        <Field
          name="url"
          label={texts.url}
          help={texts.storedEncryptedAnyoneWho}
          type="url"
          value={url}
          onText={setUrl}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {kind === 'generic' && (
        <Field
          name="token"
          label={texts.token}
          help={notification ? texts.leaveItEmptyTo : texts.signsEachMessageSo}
          value={token ?? ''}
          onText={setToken}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <FieldGroup label={texts.triggers}>
        {TRIGGERS.map(([trigger, words]) => (
          <Check
            key={trigger}
            label={`${trigger}: ${words}`}
            checked={triggers.has(trigger)}
            onCheck={(isOn) => toggle(trigger, isOn)}
          />
        ))}
      </FieldGroup>
      <DigestFields digest={digest} onDigest={setDigest} />
      <Check
        name="enabled"
        label={texts.enabled}
        help={isMail ? texts.theServerSendsMail : texts.theServerSendsA}
        checked={enabled}
        onCheck={setEnabled}
      />
    </AskDialog>
  );
}
