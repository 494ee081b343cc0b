import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Area, Check, Field, FieldGroup } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { OfRole } from '../../components/machine-identities/OfRole.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { changesOf, type Filled, filledOf, GROUPS, type RoleField } from './fields.ts';

const READ = 'GET /auth/{cert_mount_path}/certs/{name}';
const WRITE = 'POST /auth/{cert_mount_path}/certs/{name}';
const one = getRouteApi('/signed-in/~access/roles/$role');
const fresh = getRouteApi('/signed-in/~access/roles/~new');

function useRolePlace(mount: string, role: string, label: string) {
  usePlace([
    { label: 'Access' },
    { label: `auth/${mount}` },
    { label: 'Roles', to: `/~access/roles?mount=${mount}` },
    { label },
  ]);
  usePathLine({
    request: access.request(READ, { path: { cert_mount_path: mount, name: role } }),
    command: `lockkeeper read auth/${mount}/certs/${role}`,
  });
}

/** One role: whom it lets in, and what their tokens may. */
export function RolePage() {
  const { role } = one.useParams();
  const { mount = 'cert' } = one.useSearch();
  const [deleting, setDeleting] = useState(false);
  const place = `auth/${mount}/certs/${role}`;
  const may = useMay([place]);
  useRolePlace(mount, role, role);
  const read = useQuery(access.query(READ, { path: { cert_mount_path: mount, name: role } }));
  return (
    <Answered query={read} what={`The role ${role}`} missing={<code>read on {place}</code>} isPage>
      {({ data }) => (
        <>
          <PageHead
            title={role}
            lede={`A role of auth/${mount}.`}
            actions={
              <Link className={buttonClass()} to="/~access/inspect" search={{ mount, role }}>
                Try a certificate
              </Link>
            }
          />
          <RoleForm mount={mount} role={role} before={filledOf(data)} mayWrite={may(place, 'update', 'create')} />
          <OfRole mount={mount} role={role} />
          {may(place, 'delete') && (
            <p>
              <Button look="danger" onClick={() => setDeleting(true)}>
                Delete the role…
              </Button>
            </p>
          )}
          {deleting && <DeleteDialog mount={mount} role={role} onClose={() => setDeleting(false)} />}
        </>
      )}
    </Answered>
  );
}

/** A new one. */
export function NewRolePage() {
  const { mount = 'cert' } = fresh.useSearch();
  const [name, setName] = useState('');
  const { role: start } = useLocation().state;
  useRolePlace(mount, name || 'NAME', 'New role');
  return (
    <>
      <PageHead
        title="New role"
        lede={
          start
            ? 'Filled in from the certificate that was inspected: look it through before it lets anybody in.'
            : `Whom auth/${mount} lets in from then on.`
        }
      />
      <RoleForm
        mount={mount}
        role={name}
        before={filledOf({})}
        start={start && filledOf(start)}
        mayWrite
        onName={setName}
      />
    </>
  );
}

interface RoleFormProps {
  readonly mount: string;
  readonly role: string;
  readonly before: Filled;
  /** What somebody begins with, where that is something else. */
  readonly start?: Filled | undefined;
  readonly mayWrite: boolean;
  /** Of a new one. */
  readonly onName?: (name: string) => void;
}

function RoleForm({ mount, role, before, start, mayWrite, onName }: RoleFormProps) {
  const [after, setAfter] = useState(start ?? before);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const changes = changesOf(before, after);
  const save = useMutation({
    mutationFn: () => access.send(WRITE, { path: { cert_mount_path: mount, name: role }, body: changes as never }),
    onSuccess: async () => {
      announce(`Saved ${role}`);
      await queries.invalidateQueries({ queryKey: access.key() });
      if (onName)
        await navigate({ to: '/~access/roles/$role', params: { role: role.toLowerCase() }, search: { mount } });
    },
  });
  const warnings = save.data && 'warnings' in save.data ? (save.data.warnings ?? []) : [];
  const isSame = Object.keys(changes).length === 0;
  const unnamed = onName && role === '' && 'It needs a name';
  return (
    <Form
      action={onName ? 'Create role' : 'Save'}
      isPrimary={mayWrite}
      busy={save.isPending}
      fault={save.error}
      off={mayWrite ? unnamed || (isSame && 'Nothing has changed') : `It takes update on auth/${mount}/certs/${role}`}
      done={save.isSuccess && isSame && 'Saved'}
      onSubmit={() => save.mutate()}
    >
      {warnings.map((warning) => (
        <Banner key={warning} is="attention" icon="warn">
          {warning}
        </Banner>
      ))}
      {onName && <Field label="Name" value={role} onText={onName} autoComplete="off" spellCheck={false} />}
      {GROUPS.map(([label, fields]) => (
        <FieldGroup key={label} label={label}>
          {fields.map((field) => (
            <Filling
              key={field.name}
              field={field}
              value={after[field.name] ?? ''}
              isOff={!mayWrite}
              onValue={(value) => setAfter((known) => ({ ...known, [field.name]: value }))}
            />
          ))}
        </FieldGroup>
      ))}
    </Form>
  );
}

interface FillingProps {
  readonly field: RoleField;
  readonly value: string | boolean;
  readonly isOff: boolean;
  readonly onValue: (value: string | boolean) => void;
}

function Filling({ field: { name, label, kind, help }, value, isOff, onValue }: FillingProps) {
  const around = { name, label, ...(help && { help }) };
  if (kind === 'flag') {
    return <Check {...around} off={isOff && 'You may not change it'} checked={value === true} onCheck={onValue} />;
  }
  const text = { ...around, value: String(value), onText: onValue, readOnly: isOff, spellCheck: false };
  if (kind === 'text' || kind === 'seconds') return <Field {...text} />;
  return <Area {...text} isCode rows={kind === 'code' ? 8 : 2} />;
}

function DeleteDialog({
  mount,
  role,
  onClose,
}: {
  readonly mount: string;
  readonly role: string;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () =>
      access.send('DELETE /auth/{cert_mount_path}/certs/{name}', { path: { cert_mount_path: mount, name: role } }),
    onSuccess: async () => {
      announce(`Deleted ${role}`);
      await navigate({ to: '/~access/roles', search: { mount } });
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  return (
    <AskDialog
      title={`Delete the role ${role}`}
      action="Delete"
      destroys
      off={typed !== role && 'Type its name first'}
      busy={remove.isPending}
      fault={remove.error}
      onAction={() => remove.mutate()}
      onClose={onClose}
    >
      <p>Nobody logs in by it from then on. Tokens that were given out live on until they end.</p>
      <Field label="Name of the role" help={`Type ${role} to go on.`} value={typed} onText={setTyped} autoFocus />
    </AskDialog>
  );
}
