//! What a chain says it does to the world is what its steps do, unless its author says otherwise.

use tools_core::{Annotations, Describe, ToolChain, ToolDescriptor, tool};

/// Find a place.
#[tool]
fn locate(city: &str) -> String {
    city.to_owned()
}

/// Look at a file.
#[tool(read_only, idempotent, destructive = false, open_world = false)]
fn look(city: &str) -> String {
    city.to_owned()
}

/// Delete a file.
#[tool(destructive, idempotent, read_only = false)]
fn delete(city: &str) {
    let _ = city;
}

#[test]
fn a_chain_does_to_the_world_what_its_steps_do() {
    type Hints = [Option<bool>; 4];
    let hints = |chain: &dyn Describe| -> Hints {
        let hints = chain.descriptor().annotations();
        [hints.read_only, hints.destructive, hints.idempotent, hints.open_world]
    };
    let (yes, no) = (Some(true), Some(false));
    let chain = || ToolChain::new("c", "C.");
    assert_eq!(hints(&chain().transform(|_| "x")), [None; 4]);
    assert_eq!(hints(&chain().pipe(Look)), [yes, no, yes, no]);
    assert_eq!(hints(&chain().pipe(Look).pipe(Look)), [yes, no, yes, no]);
    assert_eq!(hints(&chain().pipe(Look).pipe(Delete)), [no, yes, yes, None]);
    assert_eq!(hints(&chain().pipe(Delete).pipe(Locate)), [no, yes, None, None]);
    assert_eq!(hints(&chain().pipe(Look).pipe(Locate)), [None; 4], "nobody knows of one that says nothing");
    let branches = chain().pipe(Look).when(|_| true, |branch| branch.pipe(Look));
    assert_eq!(hints(&branches), [yes, no, yes, no]);
    assert_eq!(
        hints(&branches.otherwise(|branch| branch.transform(|_| "x").pipe(Delete))),
        [no, yes, yes, None]
    );
    let nested = chain().pipe(chain().pipe(Delete));
    assert_eq!(hints(&nested), [no, yes, yes, None], "a chain is a step as well");
    // What the author says of the chain counts, wherever it is said.
    let mut said = Annotations::NONE;
    said.destructive = no;
    assert_eq!(hints(&chain().annotations(said).pipe(Delete)), [no, no, yes, None]);
    assert_eq!(hints(&chain().pipe(Delete).annotations(said)), [no, no, yes, None]);
    let own = ToolDescriptor::builder("c").annotations(said).build().unwrap();
    assert_eq!(hints(&ToolChain::<()>::from_descriptor(own).pipe(Delete)), [no, no, yes, None]);
    let named = chain().pipe(Look).descriptor().parameter_docs()[0].name().to_owned();
    assert_eq!(named, "city", "hints change nothing else");
}
