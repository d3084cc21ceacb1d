import { Arg, Authorized, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Scope } from '../accounts/api-key.entity.js';
import type { RequestContext } from '../api/request-context.js';
import { FeedbackInput, FeedbackPayload } from './feedback.types.js';

@Resolver()
export class FeedbackResolver {
  // Whoever may search may also give feedback.
  @Authorized<Scope>('read')
  @Mutation(() => FeedbackPayload, { description: 'Stores a judgement of the answer to a query.' })
  sendFeedback(
    @Ctx() { services, caller }: RequestContext,
    @Arg('input', () => FeedbackInput) input: FeedbackInput,
  ): Promise<FeedbackPayload> {
    return services.feedback.record(caller, input);
  }
}
