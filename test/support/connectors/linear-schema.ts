/** The part of Linear's schema that is asked for, with its names and types. */
export const LINEAR_SCHEMA = /* GraphQL */ `
  scalar DateTime
  scalar DateTimeOrDuration
  scalar TimelessDate
  enum PaginationOrderBy {
    createdAt
    updatedAt
  }
  enum TeamVisibility {
    public
    private
    restricted
  }
  input IdComparator {
    eq: ID
    in: [ID!]
    neq: ID
    nin: [ID!]
  }
  input StringComparator {
    eq: String
    in: [String!]
    neq: String
    nin: [String!]
    eqIgnoreCase: String
  }
  input DateComparator {
    eq: DateTimeOrDuration
    gt: DateTimeOrDuration
    gte: DateTimeOrDuration
    lt: DateTimeOrDuration
    lte: DateTimeOrDuration
  }
  input TeamFilter {
    id: IdComparator
    key: StringComparator
    name: StringComparator
  }
  input TeamCollectionFilter {
    some: TeamFilter
    every: TeamFilter
  }
  input WorkflowStateFilter {
    name: StringComparator
    type: StringComparator
  }
  input IssueLabelFilter {
    name: StringComparator
  }
  input IssueLabelCollectionFilter {
    some: IssueLabelFilter
    every: IssueLabelFilter
  }
  input IssueFilter {
    id: IdComparator
    team: TeamFilter
    state: WorkflowStateFilter
    labels: IssueLabelCollectionFilter
    updatedAt: DateComparator
    createdAt: DateComparator
  }
  input CommentFilter {
    id: IdComparator
    issue: IssueFilter
    updatedAt: DateComparator
    createdAt: DateComparator
  }
  input ProjectFilter {
    accessibleTeams: TeamCollectionFilter
  }
  input DocumentFilter {
    or: [DocumentFilter!]
    team: TeamFilter
    project: ProjectFilter
    updatedAt: DateComparator
    createdAt: DateComparator
  }
  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }
  type User {
    id: ID!
    name: String!
    email: String!
    active: Boolean!
  }
  type ExternalUser {
    id: ID!
    name: String!
    email: String
  }
  type ActorBot {
    id: ID
    name: String
    type: String!
  }
  type WorkflowState {
    id: ID!
    name: String!
    type: String!
  }
  type IssueLabel {
    id: ID!
    name: String!
  }
  type Project {
    id: ID!
    name: String!
  }
  type Attachment {
    id: ID!
    title: String!
    url: String!
  }
  type IssueRelation {
    id: ID!
    type: String!
    issue: Issue!
    relatedIssue: Issue!
  }
  type UserConnection {
    nodes: [User!]!
    pageInfo: PageInfo!
  }
  type IssueLabelConnection {
    nodes: [IssueLabel!]!
    pageInfo: PageInfo!
  }
  type AttachmentConnection {
    nodes: [Attachment!]!
    pageInfo: PageInfo!
  }
  type IssueRelationConnection {
    nodes: [IssueRelation!]!
    pageInfo: PageInfo!
  }
  type Team {
    id: ID!
    key: String!
    name: String!
    description: String
    visibility: TeamVisibility!
    members(first: Int, after: String): UserConnection!
  }
  type Issue {
    id: ID!
    identifier: String!
    title: String!
    description: String
    url: String!
    createdAt: DateTime!
    updatedAt: DateTime!
    archivedAt: DateTime
    trashed: Boolean
    priority: Float!
    priorityLabel: String!
    dueDate: TimelessDate
    state: WorkflowState!
    assignee: User
    creator: User
    externalUserCreator: ExternalUser
    botActor: ActorBot
    parent: Issue
    project: Project
    team: Team!
    labels(first: Int): IssueLabelConnection!
    relations(first: Int): IssueRelationConnection!
    inverseRelations(first: Int): IssueRelationConnection!
    attachments(first: Int): AttachmentConnection!
  }
  type Comment {
    id: ID!
    body: String!
    url: String!
    createdAt: DateTime!
    updatedAt: DateTime!
    archivedAt: DateTime
    parentId: String
    user: User
    externalUser: ExternalUser
    botActor: ActorBot
    issue: Issue
  }
  type Document {
    id: ID!
    title: String!
    content: String
    url: String!
    createdAt: DateTime!
    updatedAt: DateTime!
    archivedAt: DateTime
    trashed: Boolean
    creator: User
    updatedBy: User
    parentDocument: Document
    project: Project
    team: Team
  }
  type TeamConnection {
    nodes: [Team!]!
    pageInfo: PageInfo!
  }
  type IssueConnection {
    nodes: [Issue!]!
    pageInfo: PageInfo!
  }
  type CommentConnection {
    nodes: [Comment!]!
    pageInfo: PageInfo!
  }
  type DocumentConnection {
    nodes: [Document!]!
    pageInfo: PageInfo!
  }
  type Query {
    viewer: User!
    team(id: String!): Team!
    issue(id: String!): Issue!
    comment(id: String): Comment!
    document(id: String!): Document!
    teams(
      filter: TeamFilter
      first: Int
      after: String
      includeArchived: Boolean
      orderBy: PaginationOrderBy
    ): TeamConnection!
    issues(
      filter: IssueFilter
      first: Int
      after: String
      includeArchived: Boolean
      orderBy: PaginationOrderBy
    ): IssueConnection!
    comments(
      filter: CommentFilter
      first: Int
      after: String
      includeArchived: Boolean
      orderBy: PaginationOrderBy
    ): CommentConnection!
    documents(
      filter: DocumentFilter
      first: Int
      after: String
      includeArchived: Boolean
      orderBy: PaginationOrderBy
    ): DocumentConnection!
  }
`;
