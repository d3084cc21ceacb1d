/** A version that a worker holds, as far as statements need to know it. */
export interface LeasedVersion {
  readonly databaseId: number;
  readonly uid: string;
  /** Another worker that takes the version over stores another one. */
  readonly leaseToken: string;
}

/** Versions as rows `v(database_id, uid, lease_token)`, from the parameters that `leaseParameters` makes. */
export const leasedRows = 'unnest($1::int[], $2::bigint[], $3::uuid[]) as v(database_id, uid, lease_token)';

/** The parameters $1 to $3 of `leasedRows`. */
export function leaseParameters(versions: readonly LeasedVersion[]): [number[], string[], string[]] {
  return [
    versions.map(({ databaseId }) => databaseId),
    versions.map(({ uid }) => uid),
    versions.map(({ leaseToken }) => leaseToken),
  ];
}
