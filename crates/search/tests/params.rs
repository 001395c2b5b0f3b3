//! The tables of parameters: every entry reads and writes its own field.

use search::params::{Kind, Parameter, set};
use search::{alphabeta, mcss, softmax, tree, uct};

/// Each parameter takes another value than its default, and changes nothing else.
fn check<P: Clone + Default>(table: &[Parameter<P>], others: &[&str]) {
    let texts = |params: &P| table.iter().map(|p| (p.get)(params)).collect::<Vec<_>>();
    let base = P::default();
    for parameter in table {
        assert!(!(parameter.set)(&mut base.clone(), "no such value"), "{}", parameter.name);
        let before = (parameter.get)(&base);
        assert!((parameter.set)(&mut base.clone(), &before), "{}: its own default", parameter.name);
        let changed = others.iter().find_map(|text| {
            let mut params = base.clone();
            ((parameter.set)(&mut params, text) && (parameter.get)(&params) != before).then_some(params)
        });
        let changed = changed.unwrap_or_else(|| panic!("{}: no other value fits", parameter.name));
        let differing = texts(&changed).iter().zip(texts(&base)).filter(|(a, b)| **a != *b).count();
        assert_eq!(differing, 1, "{}", parameter.name);
    }
}

#[test]
fn each_parameter_changes_its_own_field() {
    let others = [
        "1",
        "2",
        "0.25",
        "3",
        "20",
        "100",
        "fixed",
        "probability",
        "pv0",
        "ucb1",
        "playout",
        "value",
        "visits",
        "plain",
    ];
    check(tree::TreeSettings::TABLE, &others);
    check(softmax::Params::TABLE, &others);
    check(mcss::Params::TABLE, &others);
    check(uct::Params::TABLE, &others);
}

#[test]
fn each_number_of_alphabeta_changes_its_own_field() {
    for parameter in alphabeta::Params::TABLE {
        let Kind::Integer { min, max } = parameter.kind else { panic!("{}", parameter.name) };
        let default = parameter.default_text();
        assert!((min..=max).contains(&default.parse().unwrap()), "{}", parameter.name);
        let other = if default == min.to_string() { max } else { min };
        let mut params = alphabeta::Params::default();
        set(alphabeta::Params::TABLE, &mut params, parameter.name, &other.to_string()).unwrap();
        let changed = search::params::changed(alphabeta::Params::TABLE, &params);
        assert_eq!(changed, [(parameter.name, other.to_string())]);
        assert!(set(alphabeta::Params::TABLE, &mut params, parameter.name, &(max + 1).to_string()).is_err());
    }
}
