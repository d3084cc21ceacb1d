/**
 * The parts of an issue that are read. The inner lists are short, because Linear counts what they could
 * contain (10,000 points a query).
 */
const issueParts = /* GraphQL */ `
  fragment IssueParts on Issue {
    id
    identifier
    title
    description
    url
    createdAt
    updatedAt
    archivedAt
    trashed
    priorityLabel
    dueDate
    state {
      name
    }
    assignee {
      name
      email
    }
    creator {
      name
      email
    }
    externalUserCreator {
      name
      email
    }
    botActor {
      name
    }
    parent {
      id
    }
    project {
      id
      name
    }
    team {
      id
      key
    }
    labels(first: 20) {
      nodes {
        name
      }
    }
    relations(first: 15) {
      nodes {
        relatedIssue {
          id
        }
      }
    }
    inverseRelations(first: 15) {
      nodes {
        issue {
          id
        }
      }
    }
    attachments(first: 10) {
      nodes {
        id
        title
        url
      }
    }
  }
`;

const commentParts = /* GraphQL */ `
  fragment CommentParts on Comment {
    id
    body
    url
    createdAt
    updatedAt
    archivedAt
    parentId
    user {
      name
      email
    }
    externalUser {
      name
      email
    }
    botActor {
      name
    }
    issue {
      id
      identifier
      title
      archivedAt
      trashed
      team {
        id
      }
    }
  }
`;

const documentParts = /* GraphQL */ `
  fragment DocumentParts on Document {
    id
    title
    content
    url
    createdAt
    updatedAt
    archivedAt
    trashed
    creator {
      name
      email
    }
    updatedBy {
      name
      email
    }
    parentDocument {
      id
    }
    project {
      id
      name
    }
    team {
      id
    }
  }
`;

/**
 * One page of each list that has not ended, in one request. The team is included, because for a team that is
 * gone all lists are merely empty.
 */
const page = (first: number, order: string, fields: (type: string) => string) => /* GraphQL */ `
  query Page(
    $team: TeamFilter!, $archived: Boolean!,
    $withIssues: Boolean!, $issues: IssueFilter, $issuesAfter: String,
    $withComments: Boolean!, $comments: CommentFilter, $commentsAfter: String,
    $withDocuments: Boolean!, $documents: DocumentFilter, $documentsAfter: String
  ) {
    teams(filter: $team, first: 1) { nodes { id } }
    issues(filter: $issues, after: $issuesAfter, first: ${first}, orderBy: ${order}, includeArchived: $archived)
      @include(if: $withIssues) { nodes { ${fields('Issue')} } pageInfo { hasNextPage endCursor } }
    comments(filter: $comments, after: $commentsAfter, first: ${first}, orderBy: ${order}, includeArchived: $archived)
      @include(if: $withComments) { nodes { ${fields('Comment')} } pageInfo { hasNextPage endCursor } }
    documents(filter: $documents, after: $documentsAfter, first: ${first}, orderBy: ${order}, includeArchived: $archived)
      @include(if: $withDocuments) { nodes { ${fields('Document')} } pageInfo { hasNextPage endCursor } }
  }
`;

/** Pages of a read: everything that is read, latest edits first. */
export const READ_PAGE =
  page(50, 'updatedAt', (type) => `...${type}Parts`) + issueParts + commentParts + documentParts;

const idParts = (type: string) =>
  type === 'Comment'
    ? 'id createdAt updatedAt archivedAt issue { archivedAt trashed }'
    : 'id createdAt updatedAt archivedAt trashed';

/** Pages of a walk: only ids and versions, in an order that does not change. */
export const WALK_PAGE = page(250, 'createdAt', idParts);

/** One thing by its id. */
export const ONE = {
  issues: `query One($id: String!) { one: issue(id: $id) { ...IssueParts } } ${issueParts}`,
  comments: `query One($id: String!) { one: comment(id: $id) { ...CommentParts } } ${commentParts}`,
  documents: `query One($id: String!) { one: document(id: $id) { ...DocumentParts } } ${documentParts}`,
} as const;

export const VIEWER = /* GraphQL */ `
  query Viewer {
    viewer {
      id
    }
  }
`;

export const TEAMS = /* GraphQL */ `
  query Teams($filter: TeamFilter, $first: Int!, $after: String) {
    teams(filter: $filter, first: $first, after: $after) {
      nodes {
        id
        key
        name
        description
        visibility
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

export const MEMBERS = /* GraphQL */ `
  query Members($filter: TeamFilter, $after: String) {
    teams(filter: $filter, first: 1) {
      nodes {
        visibility
        members(first: 250, after: $after) {
          nodes {
            email
            active
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
`;
