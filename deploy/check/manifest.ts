export type Fields = Readonly<Record<string, unknown>>;

interface Probe {
  readonly httpGet?: { readonly port: unknown };
}

export interface Container {
  readonly name: string;
  readonly env?: readonly unknown[];
  readonly envFrom?: readonly unknown[];
  readonly volumeMounts?: readonly unknown[];
  readonly ports?: readonly { readonly hostPort?: number }[];
  readonly securityContext?: Fields & {
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

export interface PodSpec extends Fields {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Fields[];
  readonly securityContext?: Fields;
}

interface Pod {
  readonly metadata?: { readonly annotations?: Fields; readonly labels?: Fields };
  readonly spec: PodSpec;
}

/** A rendered manifest. Its schema checks which fields the kind has. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Fields };
  readonly data?: Readonly<Record<string, string>>;
  // Every kind has its own.
  // biome-ignore lint/suspicious/noExplicitAny: the checks name the fields of the kind that they look at
  readonly spec?: any;
}

/** The pod of a Deployment or a Job. */
export const podOf = ({ kind, spec }: Manifest): Pod | null =>
  kind === 'Deployment' || kind === 'Job' ? (spec.template as Pod) : null;
