import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Answered } from '../../components/faces/Answered.tsx';
import { Area, Check, Field, FieldGroup } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { warningsOf } from '../../components/role/RoleForm.tsx';
import { useMay } from '../../shell/may.ts';
import { type Config, type Filled, filledOf, written } from './config.ts';
import { Frame } from './Frame.tsx';
import { KeyPlaces } from './KeyPlaces.tsx';

const READ = 'GET /auth/{jwt_mount_path}/config';
const WRITE = 'POST /auth/{jwt_mount_path}/config';
const route = getRouteApi('/signed-in/~access/jwt/configuration');

/** Whose tokens a mount knows, and by which keys. */
export function ConfigurationPage() {
  const { mount = 'jwt' } = route.useSearch();
  const path = { jwt_mount_path: mount };
  const place = `auth/${mount}/config`;
  const may = useMay([place]);
  usePathLine({ request: access.request(READ, { path }), command: `lockkeeper read ${place}` });
  const query = access.query(READ, { path });
  const config = useQuery<Config | null>({
    queryKey: [...query.queryKey, 'or none'],
    queryFn: async (context) => {
      try {
        return (await query.queryFn(context)).data;
      } catch (error) {
        // Nobody has written any.
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
  return (
    <Frame
      title="Configuration"
      mount={mount}
      lede={
        config.data === null
          ? 'Nobody has said yet whose tokens are known: until then no login can succeed.'
          : 'Whose tokens are known, and by which keys.'
      }
    >
      <Answered query={config} what="The configuration" missing={<code>read on {place}</code>}>
        {(data) => <ConfigForm key={mount} mount={mount} config={data} mayWrite={may(place, 'update', 'create')} />}
      </Answered>
    </Frame>
  );
}

interface ConfigFormProps {
  readonly mount: string;
  readonly config: Config | null;
  readonly mayWrite: boolean;
}

function ConfigForm({ mount, config, mayWrite }: ConfigFormProps) {
  const before = filledOf(config ?? undefined);
  const [after, setAfter] = useState(before);
  const queries = useQueryClient();
  const set = (change: Partial<Filled>) => setAfter((known) => ({ ...known, ...change }));
  const save = useMutation({
    mutationFn: () => access.send(WRITE, { path: { jwt_mount_path: mount }, body: written(after) }),
    onSuccess: async () => {
      announce(`Configured auth/${mount}`);
      await queries.invalidateQueries({ queryKey: access.key() });
      set({ skips: false });
    },
  });
  const isSame = config !== null && JSON.stringify(written(before)) === JSON.stringify(written(after));
  const off = mayWrite ? isSame && 'Nothing has changed' : `It takes update on auth/${mount}/config`;
  const text = { readOnly: !mayWrite, spellCheck: false };
  return (
    <Form
      action="Save"
      isPrimary={mayWrite}
      busy={save.isPending}
      fault={save.error}
      off={off}
      done={save.isSuccess && isSame && 'Saved'}
      onSubmit={() => save.mutate()}
    >
      {warningsOf(save.data).map((warning) => (
        <Banner key={warning} is="attention" icon="warn">
          {warning}
        </Banner>
      ))}
      <KeyPlaces of={after} onChange={set} mayWrite={mayWrite} />
      <FieldGroup label="What has to hold">
        <Field
          label="bound_issuer"
          help={`What iss is. Empty: ${after.source === 'discovery' ? 'what oidc_discovery_url says' : 'anything'}.`}
          value={after.issuer}
          onText={(issuer) => set({ issuer })}
          {...text}
        />
        <Area
          label="jwt_supported_algs"
          help="Algorithms of signatures, one in a line. Empty: RS, PS and ES of 256, 384 and 512, and EdDSA."
          isCode
          rows={2}
          value={after.algorithms}
          onText={(algorithms) => set({ algorithms })}
          {...text}
        />
        <Field
          label="default_role"
          help="The role of logins that name none."
          value={after.defaultRole}
          onText={(defaultRole) => set({ defaultRole })}
          {...text}
        />
      </FieldGroup>
      {mayWrite && (
        <Check
          label="skip_jwks_validation"
          help="Store it although the keys cannot be fetched now."
          checked={after.skips}
          onCheck={(skips) => set({ skips })}
        />
      )}
    </Form>
  );
}
